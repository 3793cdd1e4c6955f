import { type ReactNode, useEffect, useRef } from 'react'
import { Card } from './Card.tsx'
import { Awning, Logo } from './Logo.tsx'
import { useTitle } from './Page.tsx'

/** The frame of the pages before the door, and of those that stand alone: one card, one matter. */
export function Doorway({
  title,
  words,
  children,
  below,
  isWide = false,
}: {
  title: string
  words?: ReactNode
  children?: ReactNode
  /** Under the card: the way elsewhere. */
  below?: ReactNode
  isWide?: boolean
}) {
  useTitle(title)
  const content = useRef<HTMLElement>(null)
  useEffect(() => {
    content.current?.querySelector<HTMLElement>('input[type=email], input[type=text], input[type=password]')?.focus()
  }, [])
  return (
    <div className="relative flex min-h-dvh flex-col items-center px-4 pt-20 pb-12 sm:pt-28">
      <Awning />
      <main ref={content} className={`relative flex w-full flex-col gap-6 ${isWide ? 'max-w-lg' : 'max-w-[400px]'}`}>
        <a href="/" className="self-center rounded-control" aria-label="Keystall, home">
          <Logo />
        </a>
        <Card className="flex flex-col gap-6 p-6 sm:p-8">
          <header className="flex flex-col gap-2">
            <h1 className="text-xl wrap-anywhere">{title}</h1>
            {words !== undefined && <p className="text-soft">{words}</p>}
          </header>
          {children}
        </Card>
        {below !== undefined && <div className="text-center text-soft">{below}</div>}
      </main>
    </div>
  )
}
