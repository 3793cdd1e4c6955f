import type { FirstSteps } from '@keystall/contract/endpoints/user'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { productsQuery } from '../products/products.ts'
import { OpenStore } from '../stores/OpenStore.tsx'
import { storeAddress } from '../stores/store-address.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Progress } from '../ui/Progress.tsx'
import { Step } from './Step.tsx'

export function NoStoreSteps() {
  const [isOpening, setIsOpening] = useState(false)
  return (
    <StepList done={0}>
      <Step
        number={1}
        isDone={false}
        isNext
        title="Open a store"
        words="A name and the first word of its address."
        act={
          <Button shape="primary" onClick={() => setIsOpening(true)}>
            Open a store
          </Button>
        }
      />
      {laterSteps.map(({ title, words }, index) => (
        <Step key={title} number={index + 2} isDone={false} isNext={false} title={title} words={words} />
      ))}
      {isOpening && <OpenStore onClose={() => setIsOpening(false)} />}
    </StepList>
  )
}

const laterSteps = [
  { title: 'Create a product', words: 'A name and a price are enough.' },
  { title: 'Fill the shelf', words: 'Paste keys, upload a file, or name a webhook that answers.' },
  { title: 'Take payments', words: 'The test method is enough for a first try.' },
  { title: 'Buy it yourself', words: 'Pay with play money and see what your buyers see.' },
] as const

export function StoreSteps({ store, steps }: { store: { id: string; domain: string }; steps: FirstSteps }) {
  const products = useQuery(productsQuery(store.id))
  const { hasProduct, hasGoods, hasPaymentMethod, hasSale } = steps
  const done = [true, hasProduct, hasGoods, hasPaymentMethod, hasSale]
  const next = done.indexOf(false)
  const path = { storeId: store.id }
  const empty = products.data?.find(({ stock }) => stock === 0)
  const forSale = products.data?.find(({ visibility, stock }) => visibility < 2 && stock !== 0)
  const acts = [
    <Link key="product" to="/stores/$storeId/products/new" params={path} className={buttonClass('primary')}>
      Create product
    </Link>,
    empty ? (
      <Link
        key="items"
        to="/stores/$storeId/products/$productId/items"
        params={{ ...path, productId: empty.id }}
        className={buttonClass('primary')}
      >
        Add items
      </Link>
    ) : (
      <Link key="items" to="/stores/$storeId/products" params={path} className={buttonClass('primary')}>
        See products
      </Link>
    ),
    <PaymentAct key="payment" storeId={store.id} />,
    <a
      key="buy"
      href={storeAddress(store, forSale ? `/product/${forSale.id}` : '/')}
      target="_blank"
      rel="noreferrer"
      className={buttonClass('primary')}
    >
      Open the store
    </a>,
  ]
  return (
    <StepList done={done.filter(Boolean).length}>
      <Step number={1} isDone isNext={false} title="Open a store" words="It is open." />
      {laterSteps.map(({ title, words }, index) => (
        <Step
          key={title}
          number={index + 2}
          isDone={done[index + 1] === true}
          isNext={next === index + 1}
          title={title}
          words={words}
          act={acts[index]}
        />
      ))}
    </StepList>
  )
}

function PaymentAct({ storeId }: { storeId: string }) {
  return (
    <Link to="/stores/$storeId/payment-methods" params={{ storeId }} className={buttonClass('primary')}>
      Choose methods
    </Link>
  )
}

function StepList({ done, children }: { done: number; children: ReactNode }) {
  return (
    <section aria-labelledby="first-steps" className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="first-steps" className="text-lg">
          First steps
        </h2>
        <span className="text-sm text-soft tabular-nums">{done} of 5 done</span>
      </div>
      <Progress label="First steps" share={done / 5} />
      <Card>
        <ol>{children}</ol>
      </Card>
    </section>
  )
}
