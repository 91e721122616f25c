/** A picture that the demo draws: its name, project, size and content. */
export interface Scene {
  file: string
  project: 'shorePower' | 'terminal' | 'festival'
  label: string
  tags: string[]
  width: number
  height: number
  draw: (width: number, height: number) => string
}

/** Returns pseudo-random numbers from 0 to 1 that are equal at each start. */
const scatter = (index: number) => Math.abs(Math.sin(index * 12.9898 + 4.1414) * 43758.5453) % 1

const times = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

const rect = (x: number, y: number, width: number, height: number, fill: string, rest = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${rest}/>`

const gradient = (id: string, colors: string[], vertical = true) => `
  <linearGradient id="${id}" x1="0" y1="0" x2="${vertical ? 0 : 1}" y2="${vertical ? 1 : 0}">
    ${colors.map((color, index) => `<stop offset="${index / (colors.length - 1)}" stop-color="${color}"/>`).join('')}
  </linearGradient>`

const containerColors = ['#c8553d', '#2a7f86', '#e0a458', '#33658a', '#588157', '#8d5a97']

/** Draws a ship-to-shore crane with its feet at a position; 300 wide and 420 high at size 1. */
const crane = (x: number, y: number, size: number, color: string) => `
  <g transform="translate(${x} ${y}) scale(${size})" stroke="${color}" fill="none" stroke-linecap="round">
    <path d="M0 0 L30 -300 M150 0 L120 -300 M12 -110 L138 -110" stroke-width="12"/>
    <path d="M12 -110 L122 -290 M138 -110 L28 -290" stroke-width="4"/>
    <path d="M-60 -300 L420 -300" stroke-width="13"/>
    <path d="M75 -400 L75 -300 M75 -400 L400 -304 M75 -400 L-50 -304" stroke-width="5"/>
    <path d="M290 -296 L290 -190" stroke-width="3"/>
    <rect x="258" y="-190" width="64" height="28" fill="${color}" stroke="none"/>
    <rect x="20" y="-330" width="70" height="28" fill="${color}" stroke="none"/>
  </g>`

const stack = (x: number, ground: number, columns: number, rows: number, size: number, seed: number) =>
  times(columns * rows, (index) => {
    const row = Math.floor(index / columns)
    if (scatter(index + seed) < row / (rows + 2)) return ''
    const color = containerColors[Math.floor(scatter(index * 3 + seed) * containerColors.length)] ?? ''
    const left = x + (index % columns) * size * 2.5
    return rect(left, ground - (row + 1) * size, size * 2.4, size * 0.94, color)
  })

const water = (top: number, width: number, height: number, light: string, seed: number) =>
  times(150, (index) => {
    const depth = scatter(index + seed) ** 1.5
    const y = top + 8 + depth * (height - top)
    const length = 20 + depth * 130
    const x = scatter(index * 2 + seed) * width - length / 2
    const opacity = 0.1 + scatter(index * 5) * 0.35
    return rect(x, y, length, 1.5 + depth * 3, light, `rx="2" opacity="${opacity}"`)
  })

function harbour(width: number, height: number): string {
  const quay = height * 0.66
  return `<defs>${gradient('sky', ['#1d3557', '#5d5f8d', '#e08e6d', '#ffd9a0'])}${gradient('sea', ['#e3a477', '#3a5678', '#16263f'])}</defs>
    ${rect(0, 0, width, quay, 'url(#sky)')}
    <circle cx="${width * 0.68}" cy="${quay - 60}" r="86" fill="#fff1cf"/>
    <circle cx="${width * 0.68}" cy="${quay - 60}" r="150" fill="#ffe2ad" opacity="0.3"/>
    ${stack(width * 0.02, quay, 9, 4, 26, 3)}${stack(width * 0.62, quay, 11, 3, 26, 9)}
    ${crane(width * 0.12, quay, 1.15, '#22304a')}${crane(width * 0.4, quay, 1.3, '#1a2740')}${crane(width * 0.74, quay, 0.95, '#2b3853')}
    ${rect(0, quay, width, 16, '#131d30')}${rect(0, quay + 16, width, height - quay, 'url(#sea)')}
    ${water(quay + 16, width, height, '#ffe6bd', 7)}`
}

function craneAtNight(width: number, height: number): string {
  const ground = height * 0.86
  return `<defs>${gradient('night', ['#050b1a', '#0d2340', '#1f4e63'])}
    <radialGradient id="lamp"><stop offset="0" stop-color="#fff6d8"/><stop offset="0.2" stop-color="#ffe7a3" stop-opacity="0.6"/><stop offset="1" stop-color="#ffe7a3" stop-opacity="0"/></radialGradient></defs>
    ${rect(0, 0, width, height, 'url(#night)')}
    ${times(130, (index) => `<circle cx="${scatter(index) * width}" cy="${scatter(index + 50) * ground * 0.7}" r="${0.6 + scatter(index + 9) * 1.8}" fill="#dcebff" opacity="${0.3 + scatter(index + 3) * 0.7}"/>`)}
    ${crane(width * 0.16, ground, height / 620, '#e8873a')}
    ${stack(width * 0.56, ground, 5, 5, height / 34, 21)}
    ${times(5, (index) => `<circle cx="${width * (0.14 + index * 0.17)}" cy="${ground - height * 0.4 + (index % 2) * 60}" r="${height * 0.13}" fill="url(#lamp)"/>`)}
    ${rect(0, ground, width, height - ground, '#060d18')}`
}

function shorePower(width: number, height: number): string {
  const cables = ['#1b9aaa', '#ef8354', '#f2c14e', '#7fb069']
  return `<defs>${gradient('wall', ['#e8eef0', '#c3d3d6'])}${gradient('box', ['#35505a', '#1d323a'])}</defs>
    ${rect(0, 0, width, height, 'url(#wall)')}${rect(0, height * 0.8, width, height * 0.2, '#8fa5a8')}
    ${times(3, (index) => {
      const x = width * (0.1 + index * 0.29)
      const w = width * 0.22
      return `${rect(x, height * 0.18, w, height * 0.62, 'url(#box)', 'rx="14"')}
        ${rect(x + w * 0.12, height * 0.25, w * 0.76, height * 0.16, '#0b171b', 'rx="6"')}
        ${times(16, (bar) => rect(x + w * (0.17 + bar * 0.0425), height * (0.39 - scatter(bar + index * 30) * 0.11), w * 0.024, height * scatter(bar + index * 30) * 0.11, '#5ee6c5'))}
        ${times(4, (lamp) => `<circle cx="${x + w * (0.2 + lamp * 0.2)}" cy="${height * 0.48}" r="${w * 0.045}" fill="${['#7ee787', '#7ee787', '#f2c14e', '#4b6a73'][lamp]}"/>`)}
        <circle cx="${x + w / 2}" cy="${height * 0.65}" r="${w * 0.24}" fill="#101f25" stroke="#58757e" stroke-width="8"/>`
    })}
    ${times(4, (index) => `<path d="M${width * (0.21 + (index % 3) * 0.29)} ${height * 0.65} C ${width * (0.2 + index * 0.12)} ${height * 1.1}, ${width * (0.5 + index * 0.1)} ${height * (0.75 + index * 0.08)}, ${width * 1.02} ${height * (0.84 + index * 0.04)}" stroke="${cables[index]}" stroke-width="${height * 0.022}" fill="none" stroke-linecap="round"/>`)}`
}

function ferry(width: number, height: number): string {
  const sea = height * 0.7
  const hull = width * 0.62
  const x = width * 0.18
  return `<defs>${gradient('day', ['#7cc4e8', '#cdeaf5', '#fdf6e3'])}${gradient('sea', ['#3d8fb0', '#124e6b'])}</defs>
    ${rect(0, 0, width, sea, 'url(#day)')}
    ${times(5, (index) => `<ellipse cx="${width * scatter(index + 4)}" cy="${height * (0.1 + scatter(index) * 0.25)}" rx="${width * 0.12}" ry="${height * 0.025}" fill="#fff" opacity="0.6"/>`)}
    <path d="M0 ${sea} L${width * 0.2} ${sea * 0.86} L${width * 0.36} ${sea * 0.93} L${width * 0.6} ${sea * 0.82} L${width} ${sea * 0.95} L${width} ${sea} Z" fill="#7fa7a8" opacity="0.7"/>
    <path d="M${x} ${sea - height * 0.13} H${x + hull} L${x + hull * 0.93} ${sea + height * 0.04} H${x + hull * 0.07} Z" fill="#17324d"/>
    ${rect(x + hull * 0.02, sea - height * 0.145, hull * 0.96, height * 0.02, '#d1495b')}
    ${rect(x + hull * 0.1, sea - height * 0.24, hull * 0.7, height * 0.1, '#fbfdfd')}${rect(x + hull * 0.2, sea - height * 0.33, hull * 0.5, height * 0.09, '#eef4f5')}
    ${times(16, (index) => rect(x + hull * (0.13 + index * 0.04), sea - height * 0.2, hull * 0.025, height * 0.025, '#35607a'))}
    ${times(11, (index) => rect(x + hull * (0.23 + index * 0.04), sea - height * 0.295, hull * 0.025, height * 0.025, '#35607a'))}
    ${rect(x + hull * 0.5, sea - height * 0.44, hull * 0.09, height * 0.12, '#d1495b')}${rect(x + hull * 0.5, sea - height * 0.44, hull * 0.09, height * 0.025, '#17324d')}
    ${rect(0, sea, width, height - sea, 'url(#sea)', 'opacity="0.93"')}${water(sea, width, height, '#d9f2fa', 31)}`
}

const beam = (x: number, y: number, toX: number, toY: number, spread: number, color: string) =>
  `<path d="M${x} ${y} L${toX - spread} ${toY} L${toX + spread} ${toY} Z" fill="${color}" opacity="0.34"/><ellipse cx="${toX}" cy="${toY}" rx="${spread}" ry="${spread * 0.16}" fill="${color}" opacity="0.55"/>`

const stageLight = (colors: string[]) => (width: number, height: number) => {
  const floor = height * 0.82
  return `<defs>${gradient('stage', ['#07060f', '#1a1230', '#33204a'])}</defs>
    ${rect(0, 0, width, height, 'url(#stage)')}${rect(0, floor, width, height - floor, '#0d0918')}
    ${times(7, (index) => {
      const x = width * (0.08 + index * 0.14)
      const aim = width * (0.2 + scatter(index + colors.length) * 0.6)
      return beam(
        x,
        height * 0.1,
        aim,
        floor + height * 0.05,
        width * 0.1,
        colors[index % colors.length] ?? '',
      )
    })}
    ${rect(0, height * 0.06, width, height * 0.018, '#2c2c3a')}${rect(0, height * 0.1, width, height * 0.01, '#2c2c3a')}
    ${times(24, (index) => `<path d="M${(width / 24) * index} ${height * 0.075} l${width / 48} ${height * 0.03} l${width / 48} -${height * 0.03}" stroke="#2c2c3a" stroke-width="5" fill="none"/>`)}
    ${times(7, (index) => rect(width * (0.067 + index * 0.14), height * 0.1, width * 0.026, height * 0.045, '#11111a', 'rx="6"'))}
    ${times(90, (index) => `<circle cx="${scatter(index) * width}" cy="${scatter(index + 200) * floor}" r="${1 + scatter(index + 7) * 2.5}" fill="#fff" opacity="${0.05 + scatter(index + 11) * 0.22}"/>`)}`
}

function curtain(width: number, height: number): string {
  const folds = 26
  return `<defs>${gradient('fold', ['#4d0a1b', '#a3183b', '#d2405f', '#7d1230', '#4d0a1b'], false)}
      <radialGradient id="spot" cx="0.5" cy="0.62" r="0.6"><stop offset="0" stop-color="#fff3d6" stop-opacity="0.5"/><stop offset="1" stop-color="#000" stop-opacity="0.55"/></radialGradient></defs>
    ${times(folds, (index) => rect((width / folds) * index - 1, 0, width / folds + 2, height, 'url(#fold)'))}
    ${times(9, (index) => `<ellipse cx="${(width / 9) * (index + 0.5)}" cy="0" rx="${width / 17}" ry="${height * 0.13}" fill="#5f0d22" stroke="#e2b04a" stroke-width="7"/>`)}
    ${rect(0, 0, width, height, 'url(#spot)')}${rect(0, height * 0.93, width, height * 0.07, '#1a0a0a')}${rect(0, height * 0.925, width, height * 0.008, '#e2b04a')}`
}

function hoists(width: number, height: number): string {
  return `<defs>${gradient('loft', ['#10202b', '#27414f', '#4e7482'])}</defs>${rect(0, 0, width, height, 'url(#loft)')}
    ${times(12, (index) => {
      const y = height * (0.2 + scatter(index + 40) * 0.6)
      const x = (width / 12) * (index + 0.5)
      return `${times(3, (rope) => rect(x - 22 + rope * 22, 0, 2, y, '#c9d9de', 'opacity="0.6"'))}
        ${rect(x - width / 27, y, width / 13.5, height * 0.02, '#f0a65a', 'rx="5"')}
        ${rect(x - width / 31, y + height * 0.02, width / 15.5, height * 0.24, ['#274c5e', '#8f3b4a', '#3f6f5e'][index % 3] ?? '', 'opacity="0.85"')}`
    })}
    ${rect(0, 0, width, height * 0.07, '#0a151c')}${times(12, (index) => `<circle cx="${(width / 12) * (index + 0.5)}" cy="${height * 0.07}" r="${width * 0.018}" fill="#0a151c" stroke="#6f93a0" stroke-width="5"/>`)}`
}

function plan(width: number, height: number): string {
  const unit = width / 24
  return `${rect(0, 0, width, height, '#0d3b66')}
    <g stroke="#7fb4dc" stroke-width="1" opacity="0.35">${times(25, (index) => `<path d="M${index * unit} 0 V${height} M0 ${index * unit} H${width}"/>`)}</g>
    <g stroke="#eaf5ff" stroke-width="4" fill="none">
      <path d="M${unit * 2} ${unit * 11} H${unit * 22} M${unit * 2} ${unit * 4} H${unit * 22}"/>
      ${times(3, (index) => `<rect x="${unit * (3 + index * 6.5)}" y="${unit * 5}" width="${unit * 4}" height="${unit * 3}"/><path d="M${unit * (5 + index * 6.5)} ${unit * 8} V${unit * 11}"/><circle cx="${unit * (5 + index * 6.5)}" cy="${unit * 11}" r="${unit * 0.35}" fill="#f2c14e"/>`)}
      <path d="M${unit * 2} ${unit * 13} h${unit * 18} l${unit * 2} ${unit} l-${unit * 2} ${unit} h-${unit * 18} z" stroke-dasharray="16 9"/>
    </g>`
}

export const scenes: Scene[] = [
  {
    file: 'hafen-am-abend.jpg',
    project: 'shorePower',
    label: 'Hafen am Abend',
    tags: ['Kai 7', 'Wallpaper'],
    width: 1920,
    height: 1080,
    draw: harbour,
  },
  {
    file: 'uebergabestation.jpg',
    project: 'shorePower',
    label: 'Übergabestation, Schaltschränke',
    tags: ['Kai 7', 'Anlage'],
    width: 1600,
    height: 1200,
    draw: shorePower,
  },
  {
    file: 'faehre-am-kai.jpg',
    project: 'shorePower',
    label: 'Fähre am Anleger',
    tags: ['Schiff', 'Kai 7'],
    width: 1920,
    height: 1080,
    draw: ferry,
  },
  {
    file: 'lageplan-kai-7.png',
    project: 'shorePower',
    label: 'Lageplan Kai 7',
    tags: ['Plan'],
    width: 1440,
    height: 960,
    draw: plan,
  },
  {
    file: 'bruecke-4-bei-nacht.jpg',
    project: 'shorePower',
    label: 'Brücke 4 bei Nacht',
    tags: ['Kran', 'Wallpaper'],
    width: 1200,
    height: 1600,
    draw: craneAtNight,
  },
  {
    file: 'containerbruecken.jpg',
    project: 'terminal',
    label: 'Containerbrücken',
    tags: ['Kran'],
    width: 1600,
    height: 900,
    draw: harbour,
  },
  {
    file: 'nachtschicht.jpg',
    project: 'terminal',
    label: 'Nachtschicht',
    tags: ['Kran', 'Nacht'],
    width: 1280,
    height: 1280,
    draw: craneAtNight,
  },
  {
    file: 'lichtprobe-kalt.jpg',
    project: 'festival',
    label: 'Lichtprobe, kalt',
    tags: ['Licht', 'Probe'],
    width: 1920,
    height: 1080,
    draw: stageLight(['#4cc9f0', '#4361ee', '#b5179e']),
  },
  {
    file: 'lichtprobe-warm.jpg',
    project: 'festival',
    label: 'Lichtprobe, warm',
    tags: ['Licht', 'Probe'],
    width: 1920,
    height: 1080,
    draw: stageLight(['#ffb703', '#fb5607', '#ff006e', '#ffe8b0']),
  },
  {
    file: 'hauptvorhang.jpg',
    project: 'festival',
    label: 'Hauptvorhang',
    tags: ['Bühne', 'Wallpaper'],
    width: 1600,
    height: 1067,
    draw: curtain,
  },
  {
    file: 'prospektzuege.jpg',
    project: 'festival',
    label: 'Prospektzüge 1 bis 12',
    tags: ['Bühne', 'Anlage'],
    width: 1500,
    height: 1000,
    draw: hoists,
  },
]
