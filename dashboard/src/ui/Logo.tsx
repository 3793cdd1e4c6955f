/** Our mark: a key hanging under an awning. */
export function Mark({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={className}>
      <path
        fill="currentColor"
        d="M5.2 2h13.6a1 1 0 0 1 .93.63L22 8.4a3.33 3.33 0 0 1-6.67 0 3.33 3.33 0 0 1-6.66 0 3.33 3.33 0 0 1-6.67 0l2.27-5.77A1 1 0 0 1 5.2 2z"
      />
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M12 18v4.2m0-2.1h2.2M12 22.2h2.2M14 15.9a2 2 0 1 1-4 0 2 2 0 0 1 4 0z"
      />
    </svg>
  )
}

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 text-accent-text">
      <Mark />
      <span className="text-lg font-semibold tracking-tight text-text">Keystall</span>
    </span>
  )
}

const keys = [
  { x: 4, drop: 34, turn: 0 },
  { x: 13, drop: 62, turn: 4 },
  { x: 21, drop: 22, turn: -3 },
  { x: 79, drop: 26, turn: 3 },
  { x: 88, drop: 58, turn: -4 },
  { x: 96, drop: 38, turn: 0 },
]

/** The stall itself, over the pages before the door: striped cloth, keys on strings. Decoration only. */
export function Awning() {
  return (
    <div aria-hidden className="pointer-events-none absolute inset-x-0 top-0 overflow-hidden">
      <svg className="block h-11 w-full">
        <defs>
          <pattern id="awning" width="64" height="44" patternUnits="userSpaceOnUse">
            <path className="fill-cloth" d="M0 0h32v24a16 16 0 0 1-32 0z" />
            <path className="fill-accent-soft" d="M32 0h32v24a16 16 0 0 1-32 0z" />
          </pattern>
        </defs>
        <rect width="100%" height="44" fill="url(#awning)" />
      </svg>
      <div className="relative h-40 max-lg:hidden">
        {keys.map(({ x, drop, turn }) => (
          <svg
            key={x}
            viewBox="0 0 24 120"
            className="absolute top-0 h-[120px] w-6 text-cloth opacity-40"
            style={{ left: `${x}%`, transform: `rotate(${turn}deg)`, transformOrigin: 'top' }}
          >
            <path stroke="currentColor" strokeWidth="1" d={`M12 0v${drop}`} />
            <g
              fill="none"
              stroke="currentColor"
              strokeWidth="2.5"
              strokeLinecap="round"
              strokeLinejoin="round"
              transform={`translate(0 ${drop})`}
            >
              <circle cx="12" cy="7" r="6" />
              <path d="M12 13v26m0-9h6m-6 9h6" />
            </g>
          </svg>
        ))}
      </div>
    </div>
  )
}
