import type { Product } from '@keystall/contract/shapes/product'
import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Section } from '../ui/Card.tsx'
import { DropZone } from '../ui/DropZone.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Progress } from '../ui/Progress.tsx'
import { Handle, useReorder } from '../ui/Reorder.tsx'
import { addImage, arrangeImages, type ProductPath, reloadProducts, removeImage } from './products.ts'

const picturesMax = 20
const bytesMax = 29_999_999

interface UnderWay {
  id: number
  name: string
  share: number
  failure?: string
}

let lastId = 0

/** Pictures are saved as they come; the form has nothing to do with them. */
export function PicturesSection({ path, product }: { path: ProductPath; product: Product }) {
  const { imageNames } = product
  const [underWay, setUnderWay] = useState<readonly UnderWay[]>([])
  const { mutate: arrange, error: arrangeError } = useMutation({
    mutationFn: (names: readonly string[]) => arrangeImages(path, names),
  })
  const { mutate: remove, error: removeError } = useMutation({
    mutationFn: (name: string) => removeImage(path, name),
  })
  const { shown, listRef, gripOf, said } = useReorder({
    rows: imageNames,
    keyOf: (name) => name,
    nameOf: (name) => `picture ${imageNames.indexOf(name) + 1}`,
    onArrange: arrange,
  })
  const failure = arrangeError ?? removeError

  const change = (id: number, to: Partial<UnderWay>) =>
    setUnderWay((before) => before.map((each) => (each.id === id ? { ...each, ...to } : each)))

  /** One after the other, so that they stand in the order in which they were chosen. */
  async function upload(files: readonly File[]) {
    const begun = files.map((file) => ({ id: ++lastId, file }))
    setUnderWay((before) => [
      ...before.filter((each) => each.failure === undefined),
      ...begun.map(({ id, file }) => ({ id, name: file.name, share: 0 })),
    ])
    for (const { id, file } of begun) {
      try {
        if (file.size > bytesMax) throw new RangeError('too large')
        await addImage(path, file, (bytes) => change(id, { share: bytes / file.size }))
        setUnderWay((before) => before.filter((each) => each.id !== id))
      } catch (error) {
        change(id, { failure: error instanceof RangeError ? 'Is larger than 30 MB.' : wordsOf(error) })
      }
    }
    await reloadProducts(path.storeId)
  }

  return (
    <Section title="Pictures" words="The first is shown in lists. Up to 20; they are saved at once.">
      <div className="flex flex-col gap-4">
        {failure && <Notice kind="danger">{failureOf(failure).message}</Notice>}
        {shown.length > 0 && (
          <ul ref={listRef} aria-label="Pictures" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
            {shown.map((name, index) => (
              <li
                key={name}
                className={`relative aspect-4/3 overflow-hidden rounded-control border border-line bg-sunken ${gripOf(name).isHeld ? 'shadow-float' : ''}`}
              >
                <img
                  src={`/images/${name}?width=480`}
                  alt={`Number ${index + 1}`}
                  draggable={false}
                  className="size-full object-cover"
                />
                <span className="absolute inset-x-1 top-1 flex justify-between">
                  <Handle grip={gripOf(name)} className="bg-surface/90" />
                  <button
                    type="button"
                    aria-label={`Remove picture ${index + 1}`}
                    onClick={() => remove(name)}
                    className="grid size-8 place-items-center rounded-control bg-surface/90 text-soft hover:text-danger pointer-coarse:size-11"
                  >
                    <X aria-hidden className="size-4" />
                  </button>
                </span>
              </li>
            ))}
          </ul>
        )}
        {underWay.map(({ id, name, share, failure: reason }) => (
          <div key={id} className="flex flex-col gap-1.5 text-sm">
            <span className="truncate font-medium">{name}</span>
            {reason === undefined ? (
              <Progress label={`Upload of ${name}`} share={share} />
            ) : (
              <Notice kind="danger">{reason}</Notice>
            )}
          </div>
        ))}
        <DropZone
          act="Add pictures"
          words={
            imageNames.length >= picturesMax
              ? 'That is all there may be.'
              : 'Drop PNG, JPG, WebP or GIF here, under 30 MB each.'
          }
          accept="image/png,image/jpeg,image/webp,image/gif"
          isMultiple
          isDisabled={imageNames.length >= picturesMax}
          onFiles={(files) => void upload(files)}
        />
        <output className="sr-only">{said}</output>
      </div>
    </Section>
  )
}

function wordsOf(error: unknown) {
  const { message, invalidFields } = failureOf(error)
  const [first] = invalidFields
  return first ? `It ${first.reason}.` : message
}
