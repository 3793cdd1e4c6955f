import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'

/** Every page of the workbench begins the same way: its title, one sentence if needed, one primary button. */
export function Page({
  title,
  words,
  act,
  back,
  children,
}: {
  title: string
  words?: ReactNode
  act?: ReactNode
  back?: { to: NonNullable<LinkProps['to']>; params?: Record<string, string>; label: string }
  children: ReactNode
}) {
  useTitle(title)
  return (
    <div className="mx-auto flex w-full max-w-[1120px] flex-col gap-8 px-4 pt-6 pb-12 sm:px-8 md:pt-10">
      <header className="flex flex-col gap-3">
        {back && (
          <Link
            to={back.to}
            params={back.params ?? {}}
            className="-ml-1 inline-flex items-center gap-1 self-start rounded-control text-sm font-medium text-soft hover:text-text"
          >
            <ChevronLeft aria-hidden className="size-4" />
            {back.label}
          </Link>
        )}
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="flex min-w-0 max-w-2xl flex-col gap-1.5">
            <h1 className="text-2xl wrap-anywhere">{title}</h1>
            {words !== undefined && <p className="text-soft">{words}</p>}
          </div>
          {act}
        </div>
      </header>
      {children}
    </div>
  )
}

export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Keystall`
  }, [title])
}
