import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { field, notice } from '../parts/field.ts'
import { linkList } from '../parts/links.ts'
import type { Draft, Shop, SocialLink } from '../shop.ts'

export interface ContactPage {
  message: Html | null
  links: SocialLink[]
  draft: Draft
  /** Why the question as a whole was not taken. */
  refusal: string | undefined
}

export function contactPage(shop: Shop, { message, links, draft, refusal }: ContactPage): Html {
  const { speech } = shop
  const { say } = speech
  return storePage(
    shop,
    {
      title: `${say('contact')} · ${shop.name}`,
      path: '/contact',
      description: say('howToReach', { store: shop.name }),
    },
    html`<article class="wide narrow"><h1>${say('contact')}</h1>
${message && html`<div class="prose">${message}</div>`}
${notice(refusal)}
<section class="card pad" aria-labelledby="about-order"><h2 id="about-order">${say('aboutAnOrder')}</h2>
<p>${say('aboutAnOrderText')}</p></section>
<section class="card pad" aria-labelledby="question"><h2 id="question">${say('aboutElse')}</h2>
<form method="post" action="/contact">
${field(speech, { name: 'emailAddress', label: say('emailAddress'), kind: 'email', draft, maxLength: 254, autocomplete: 'email', help: say('contactEmailHelp') })}
${field(speech, { name: 'subject', label: say('subject'), draft, maxLength: 128 })}
${field(speech, { name: 'message', label: say('message'), kind: 'long', draft, maxLength: 2048 })}
<button class="button primary">${say('send')}</button></form></section>
${links.length > 0 && html`<section class="card pad" aria-labelledby="elsewhere"><h2 id="elsewhere">${say('elsewhere')}</h2>${linkList(speech, links)}</section>`}
</article>`,
  )
}

/** The mail is under way. */
export function questionSentPage(shop: Shop, emailAddress: string): Html {
  const { say, put } = shop.speech
  return storePage(
    shop,
    { title: `${say('lookIntoMail')} · ${shop.name}`, path: null },
    html`<div class="wide narrow"><div class="empty card"><h1>${say('lookIntoMail')}</h1>
<p>${put('lookIntoMailText', { address: html`<strong>${emailAddress}</strong>`, store: shop.name })}</p>
<p><a class="button" href="/">${say('seeProducts')}</a></p></div></div>`,
  )
}

export interface WaitingQuestion {
  id: string
  key: string
  emailAddress: string
  subject: string
  message: string
}

/** A button and not the link itself: programs that look into mails open links. */
export function confirmQuestionPage(shop: Shop, question: WaitingQuestion): Html {
  const { say } = shop.speech
  const action = `/contact/${question.id}?key=${encodeURIComponent(question.key)}`
  return storePage(
    shop,
    { title: `${say('sendQuestion')} · ${shop.name}`, path: null },
    html`<div class="wide narrow"><h1>${say('sendQuestion')}</h1>
<section class="card pad ticket" aria-labelledby="subject"><h2 id="subject">${question.subject}</h2>
<ul class="entries"><li class="own"><p class="by">${question.emailAddress}</p><p class="said">${question.message}</p></li></ul>
<form method="post" action="${action}"><button class="button primary">${say('sendToStore', { store: shop.name })}</button></form>
<p class="help">${say('notYours')}</p></section></div>`,
  )
}
