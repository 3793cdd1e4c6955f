import { Star } from 'lucide-react'

export function Stars({ rating }: { rating: number }) {
  return (
    <span className="inline-flex gap-0.5 text-star">
      <span className="sr-only">{rating} of 5 stars</span>
      {[1, 2, 3, 4, 5].map((star) => (
        <Star key={star} aria-hidden className={`size-4 ${star <= rating ? 'fill-current' : 'opacity-40'}`} />
      ))}
    </span>
  )
}
