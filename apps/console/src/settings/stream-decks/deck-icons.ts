import type { DeckIcon } from '@pult/contract'
import * as activity from 'lucide-react/icons/activity'
import * as bell from 'lucide-react/icons/bell'
import * as camera from 'lucide-react/icons/camera'
import * as clock from 'lucide-react/icons/clock'
import * as cloud from 'lucide-react/icons/cloud'
import * as download from 'lucide-react/icons/download'
import * as eye from 'lucide-react/icons/eye'
import * as flag from 'lucide-react/icons/flag'
import * as folder from 'lucide-react/icons/folder'
import * as gauge from 'lucide-react/icons/gauge'
import * as hardDrive from 'lucide-react/icons/hard-drive'
import * as headphones from 'lucide-react/icons/headphones'
import * as house from 'lucide-react/icons/house'
import * as info from 'lucide-react/icons/info'
import * as layers from 'lucide-react/icons/layers'
import * as lightbulb from 'lucide-react/icons/lightbulb'
import * as lock from 'lucide-react/icons/lock'
import * as mic from 'lucide-react/icons/mic'
import * as monitor from 'lucide-react/icons/monitor'
import * as play from 'lucide-react/icons/play'
import * as power from 'lucide-react/icons/power'
import * as radio from 'lucide-react/icons/radio'
import * as refreshCw from 'lucide-react/icons/refresh-cw'
import * as server from 'lucide-react/icons/server'
import * as settings from 'lucide-react/icons/settings'
import * as square from 'lucide-react/icons/square'
import * as star from 'lucide-react/icons/star'
import * as terminal from 'lucide-react/icons/terminal'
import * as upload from 'lucide-react/icons/upload'
import * as users from 'lucide-react/icons/users'
import * as video from 'lucide-react/icons/video'
import * as zap from 'lucide-react/icons/zap'

type Shape = readonly [tag: string, attributes: Readonly<Record<string, string | number>>]

const modules: Record<DeckIcon, object> = {
  play,
  square,
  download,
  upload,
  gauge,
  server,
  'hard-drive': hardDrive,
  activity,
  bell,
  camera,
  clock,
  cloud,
  eye,
  flag,
  folder,
  house,
  info,
  layers,
  lightbulb,
  lock,
  mic,
  monitor,
  headphones,
  power,
  radio,
  'refresh-cw': refreshCw,
  settings,
  star,
  terminal,
  users,
  video,
  zap,
}

/** Lucide's modules export the shapes that its components draw, but its types omit them. */
const shapesOf = (icon: DeckIcon) =>
  (modules[icon] as { __iconData: { node: readonly Shape[] } }).__iconData.node

const paths = new Map<DeckIcon, Path2D>()

/** Returns the outline of an icon in a square of 24 by 24, to be stroked. */
export function iconPath(icon: DeckIcon): Path2D {
  const known = paths.get(icon)
  if (known !== undefined) return known
  const path = new Path2D()
  for (const shape of shapesOf(icon)) path.addPath(pathOf(shape))
  paths.set(icon, path)
  return path
}

function pathOf([tag, attributes]: Shape): Path2D {
  const at = (name: string) => Number(attributes[name] ?? 0)
  const path = new Path2D(tag === 'path' ? String(attributes['d']) : undefined)
  if (tag === 'circle') path.arc(at('cx'), at('cy'), at('r'), 0, Math.PI * 2)
  else if (tag === 'ellipse') path.ellipse(at('cx'), at('cy'), at('rx'), at('ry'), 0, 0, Math.PI * 2)
  else if (tag === 'rect') path.roundRect(at('x'), at('y'), at('width'), at('height'), at('rx'))
  else if (tag === 'line') {
    path.moveTo(at('x1'), at('y1'))
    path.lineTo(at('x2'), at('y2'))
  } else if (tag === 'polyline' || tag === 'polygon') {
    const points = String(attributes['points']).match(/[\d.-]+/g) ?? []
    for (let index = 0; index < points.length; index += 2)
      path.lineTo(Number(points[index]), Number(points[index + 1]))
    if (tag === 'polygon') path.closePath()
  }
  return path
}
