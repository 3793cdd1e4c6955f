import * as contract from '@keystall/contract/endpoints/storefront'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { speechOf } from '@keystall/storefront/speech'
import { languageOf } from './language.ts'
import { previewOf } from './preview.ts'

export const storefrontRoutes: Implementation[] = [
  implement(contract.previewPage, async ({ platform, store, body, request, reply }) => {
    const page = await previewOf(
      { platform, request, reply, speech: speechOf(languageOf(request).language) },
      store,
      body,
    )
    return ok({ html: page.text })
  }),
]
