/** The first letter of a name, where there is no picture. */
export function Monogram({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return (
    <span
      aria-hidden
      className={`grid shrink-0 place-items-center rounded-control bg-accent-soft font-semibold text-accent-text ${isLarge ? 'size-10 text-lg' : 'size-7 text-sm'}`}
    >
      {first?.segment.toUpperCase()}
    </span>
  )
}
