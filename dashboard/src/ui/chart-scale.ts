export interface Scale {
  x: (place: number) => number
  y: (value: number) => number
  /** The place whose point is nearest to an x. */
  nearest: (x: number) => number
  ticks: number[]
  count: number
}

interface Frame {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
}

/** From zero, or from below it where refunds outweigh sales, to a round number above everything. */
export function scaleOf(points: readonly { value: number; before?: number | undefined }[], frame: Frame): Scale {
  const values = points.flatMap(({ value, before }) => [value, before ?? 0])
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const step = roundStep((most - least || 1) / 3)
  const [bottom, top] = [Math.floor(least / step) * step, Math.max(step, Math.ceil(most / step) * step)]
  const inner = { width: frame.width - frame.left - frame.right, height: frame.height - frame.top - frame.bottom }
  const last = Math.max(1, points.length - 1)
  const count = Math.round((top - bottom) / step)
  return {
    x: (place) => (points.length === 1 ? frame.left + inner.width / 2 : frame.left + (place / last) * inner.width),
    y: (value) => frame.top + (1 - (value - bottom) / (top - bottom)) * inner.height,
    nearest: (x) => Math.max(0, Math.min(points.length - 1, Math.round(((x - frame.left) / inner.width) * last))),
    ticks: Array.from({ length: count + 1 }, (_, index) => bottom + index * step),
    count: points.length,
  }
}

/** 1, 2 or 5 times a power of ten, never below 1: there are no half orders, and cents need no lines. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const times = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10
  return Math.max(1, times * power)
}

export function linePath(scale: Scale, values: readonly number[]): string {
  return values.map((value, place) => `${place === 0 ? 'M' : 'L'}${at(scale.x(place))} ${at(scale.y(value))}`).join('')
}

export function areaPath(scale: Scale, values: readonly number[]): string {
  if (values.length === 0) return ''
  const ground = at(scale.y(0))
  return `${linePath(scale, values)}L${at(scale.x(values.length - 1))} ${ground}L${at(scale.x(0))} ${ground}Z`
}

function at(number: number) {
  return Math.round(number * 100) / 100
}
