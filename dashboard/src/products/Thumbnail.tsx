import { Package } from 'lucide-react'

/** The product's first picture, from the dashboard's own host. */
export function Thumbnail({ name }: { name: string | undefined }) {
  if (name === undefined) {
    return (
      <span className="grid size-8 shrink-0 place-items-center rounded-control bg-sunken text-soft">
        <Package aria-hidden className="size-4" />
      </span>
    )
  }
  return (
    <img
      src={`/images/${name}?width=160`}
      alt=""
      width={32}
      height={32}
      loading="lazy"
      className="size-8 shrink-0 rounded-control object-cover"
    />
  )
}
