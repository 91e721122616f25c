// Simulates dichromatic sight and measures colour distances, for the test of the chart colours.

type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]

// Machado, Oliveira, Fernandes 2009, severity 1.0; applied to linear RGB.
const simulations = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const satisfies Record<string, Matrix>

export const deficiencies = Object.keys(simulations)

// https://bottosson.github.io/posts/oklab/
const toCones: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const toLab: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]

const multiply = (matrix: Matrix, [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple

function linearRgb(hex: string): Triple {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 0xff, value & 0xff].map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Triple
}

function labOf(hex: string, sight: string): Triple {
  const matrix: Matrix | undefined = Object.entries(simulations).find(([name]) => name === sight)?.[1]
  const seen = matrix === undefined ? linearRgb(hex) : multiply(matrix, linearRgb(hex))
  const inGamut = seen.map((share) => Math.max(0, Math.min(1, share))) as unknown as Triple
  return multiply(toLab, multiply(toCones, inGamut).map(Math.cbrt) as unknown as Triple)
}

/**
 * Returns the OKLab distance of two `#rrggbb` colours, times 100, for full colour sight (`none`) or one of {@link
 * deficiencies}.
 */
export function distance(one: string, other: string, sight: string): number {
  const [a, b] = [labOf(one, sight), labOf(other, sight)]
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}
