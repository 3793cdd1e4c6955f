/* oxlint-disable jsx-a11y/prefer-tag-over-role -- to a keyboard the drawing is a slider over the days */
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useState } from 'react'
import { areaPath, linePath, type Scale, scaleOf } from './chart-scale.ts'

export interface ChartPoint {
  label: string
  value: number
  /** The same day of the time before. */
  before?: number | undefined
}

const width = 720
const height = 220
const frame = { left: 8, right: 8, top: 16, bottom: 24 }

/**
 * One line over a soft area, the time before as a dashed grey line. A point is read by hovering, by touch, or with the
 * arrow keys; screen readers get the table beneath.
 */
export function LineChart({
  name,
  points,
  format,
}: {
  name: string
  points: readonly ChartPoint[]
  format: (value: number) => string
}) {
  const [chosen, setChosen] = useState<number>()
  const clipId = useId()
  const scale = useMemo(() => scaleOf(points, { width, height, ...frame }), [points])
  const point = chosen === undefined ? undefined : points[chosen]
  const hasBefore = points.some(({ before }) => before !== undefined && before > 0)

  function choose(event: PointerEvent<HTMLDivElement>) {
    const box = event.currentTarget.getBoundingClientRect()
    setChosen(scale.nearest(((event.clientX - box.left) / box.width) * width))
  }

  function step(event: KeyboardEvent) {
    const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -points.length, End: points.length }
    const move = moves[event.key]
    if (event.key === 'Escape') setChosen(undefined)
    if (move === undefined) return
    event.preventDefault()
    setChosen((before) =>
      Math.max(0, Math.min(points.length - 1, (before ?? points.length - 1 + -Math.sign(move)) + move)),
    )
  }

  return (
    <figure className="flex flex-col gap-2">
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${name}, day by day`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={chosen ?? points.length - 1}
        aria-valuetext={point ? wordsOf(point, format) : wordsOf(points.at(-1), format)}
        onPointerMove={choose}
        onPointerDown={choose}
        onPointerLeave={() => setChosen(undefined)}
        onKeyDown={step}
        onBlur={() => setChosen(undefined)}
        className="relative touch-pan-y rounded-control"
      >
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="block h-44 w-full sm:h-56"
          aria-hidden
        >
          <clipPath id={clipId}>
            <rect x="0" y="0" width={width} height={height} />
          </clipPath>
          {scale.ticks.map((tick) => (
            <line
              key={tick}
              x1={frame.left}
              x2={width - frame.right}
              y1={scale.y(tick)}
              y2={scale.y(tick)}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          <g clipPath={`url(#${clipId})`}>
            {hasBefore && (
              <path
                d={linePath(
                  scale,
                  points.map(({ before }) => before ?? 0),
                )}
                className="fill-none stroke-line-control"
                strokeWidth="1.5"
                strokeDasharray="4 4"
                vectorEffect="non-scaling-stroke"
              />
            )}
            <path
              d={areaPath(
                scale,
                points.map(({ value }) => value),
              )}
              className="fill-accent opacity-12"
            />
            <path
              d={linePath(
                scale,
                points.map(({ value }) => value),
              )}
              className="fill-none stroke-accent"
              strokeWidth="2"
              strokeLinejoin="round"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          </g>
          {chosen !== undefined && (
            <line
              x1={scale.x(chosen)}
              x2={scale.x(chosen)}
              y1={frame.top}
              y2={height - frame.bottom}
              className="stroke-line-control"
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
        <Axis scale={scale} points={points} format={format} />
        {point && chosen !== undefined && (
          <Reading point={point} format={format} place={scale.x(chosen) / width} top={scale.y(point.value) / height} />
        )}
      </div>
      {hasBefore && (
        <figcaption className="flex gap-4 text-xs text-soft">
          <span className="flex items-center gap-1.5">
            <span aria-hidden className="h-0.5 w-4 rounded-full bg-accent" /> This period
          </span>
          <span className="flex items-center gap-1.5">
            <span aria-hidden className="w-4 border-t-2 border-dashed border-line-control" /> The period before
          </span>
        </figcaption>
      )}
      <table className="sr-only">
        <caption>{name}, day by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">{name}</th>
            <th scope="col">The period before</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ label, value, before }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{format(value)}</td>
              <td>{before === undefined ? '' : format(before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

/** Words are laid over the drawing: inside it they would be stretched with it. */
function Axis({
  scale,
  points,
  format,
}: {
  scale: Scale
  points: readonly ChartPoint[]
  format: (value: number) => string
}) {
  const places = [...new Set([0, Math.floor((points.length - 1) / 2), points.length - 1])]
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 text-xs text-soft tabular-nums">
      {scale.ticks
        .filter((tick) => tick > 0)
        .map((tick) => (
          <span
            key={tick}
            className="absolute left-2 -translate-y-full"
            style={{ top: `${(scale.y(tick) / height) * 100}%` }}
          >
            {format(tick)}
          </span>
        ))}
      {places.map((place) => (
        <span
          key={place}
          className={`absolute bottom-0 whitespace-nowrap ${place === 0 ? '' : place === points.length - 1 ? '-translate-x-full' : '-translate-x-1/2'}`}
          style={{ left: `${(scale.x(place) / width) * 100}%` }}
        >
          {points[place]?.label}
        </span>
      ))}
    </div>
  )
}

function Reading({
  point,
  format,
  place,
  top,
}: {
  point: ChartPoint
  format: (value: number) => string
  place: number
  top: number
}) {
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0">
      <span
        className="absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface bg-accent"
        style={{ left: `${place * 100}%`, top: `${top * 100}%` }}
      />
      <span
        className={`absolute top-0 flex flex-col rounded-control border border-line bg-raised px-3 py-2 text-sm shadow-float ${place > 0.5 ? '-translate-x-[calc(100%+12px)]' : 'translate-x-3'}`}
        style={{ left: `${place * 100}%` }}
      >
        <span className="text-soft whitespace-nowrap">{point.label}</span>
        <span className="font-semibold whitespace-nowrap tabular-nums">{format(point.value)}</span>
        {point.before !== undefined && (
          <span className="text-soft whitespace-nowrap tabular-nums">{format(point.before)} before</span>
        )}
      </span>
    </div>
  )
}

function wordsOf(point: ChartPoint | undefined, format: (value: number) => string) {
  return point === undefined ? '' : `${point.label}: ${format(point.value)}`
}
