/** How far something has come. The browser's own element speaks; the bar is for the eyes. */
export function Progress({ label, share }: { label: string; share: number }) {
  const percent = Math.round(share * 100)
  return (
    <div className="relative h-1.5 w-full overflow-hidden rounded-full bg-sunken">
      <progress aria-label={label} value={percent} max={100} className="absolute inset-0 size-full opacity-0" />
      <div aria-hidden className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
    </div>
  )
}
