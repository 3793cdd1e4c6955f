import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { html } from './html.ts'
import { languages, preferredLanguage } from './languages.ts'
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import { fr } from './messages/fr.ts'
import type { Messages, Plural } from './messages/message.ts'
import { pt } from './messages/pt.ts'
import { ru } from './messages/ru.ts'
import { zh } from './messages/zh.ts'
import { problemText, reasonText } from './refusals.ts'
import { speechOf } from './speech.ts'

const all: Record<string, Messages> = { en, de, es, fr, pt, ru, zh }

function holesOf(message: string | Plural): string[] {
  const texts = typeof message === 'string' ? [message] : Object.values(message)
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, hole = '']) => hole)))]
}

describe('the message files', () => {
  for (const [language, messages] of Object.entries(all)) {
    test(`${language} fills no hole that English does not have, and leaves none out but those of rules`, () => {
      for (const [key, message] of Object.entries(en)) {
        const own = holesOf(messages[key as keyof typeof en])
        const known = holesOf(message)
        assert.deepEqual(
          own.filter((hole) => !known.includes(hole)),
          [],
          key,
        )
        if (!key.startsWith('reason')) assert.deepEqual(own.toSorted(), known.toSorted(), key)
      }
    })

    test(`${language} has a form for each of its plurals`, () => {
      const whole = Array.from({ length: 200 }, (_, number) => new Intl.PluralRules(language).select(number))
      const forms = [...new Set(whole)]
      for (const message of Object.values(messages)) {
        if (typeof message === 'string') continue
        assert.deepEqual(
          forms.filter((form) => message[form] === undefined),
          [],
        )
      }
    })
  }
})

describe('a language', () => {
  test('counts as its speakers do', () => {
    const said = [1, 2, 5, 21].map((count) => speechOf('ru').say('reviewCount', { count }))
    assert.deepEqual(said, ['1 отзыв', '2 отзыва', '5 отзывов', '21 отзыв'])
    assert.equal(speechOf('zh').say('left', { count: 3 }), '仅剩 3 件')
    assert.equal(speechOf('de').say('visits', { count: 1234 }), '1.234 Besuche')
  })

  test('writes money and dates as its readers do', () => {
    const at = '2030-01-31T12:00:00Z'
    assert.equal(speechOf('de').amount(1234.5, 'EUR'), '1.234,50\u00a0€')
    assert.equal(speechOf('en').price(0, 'EUR'), 'Free')
    assert.deepEqual([speechOf('de').day(at), speechOf('zh').day(at)], ['31.01.2030', '2030年1月31日'])
  })

  test('what is put into a sentence of a page is text, unless it is a piece of it', () => {
    const { put } = speechOf('en')
    assert.equal(String(put('fromSeller', { name: '<b>' })), 'From &lt;b&gt;')
    assert.equal(String(put('fromSeller', { name: html`<b>x</b>` })), 'From <b>x</b>')
  })

  test('a text that looks like a hole stays as it is', () => {
    assert.equal(speechOf('en').say('replied', { name: '{name}' }), '{name} replied')
  })

  test('every page can be said in it', () => {
    assert.deepEqual(Object.keys(all).toSorted(), [...languages].toSorted())
  })
})

describe('refusals', () => {
  test('a known reason is a sentence in the reader’s language, an unknown one never English in it', () => {
    assert.equal(reasonText(speechOf('en'), 'Quantity', 'must be at most 3'), 'Quantity must be at most 3')
    assert.equal(reasonText(speechOf('de'), 'Menge', 'must be at most 3'), 'Menge: höchstens 3')
    assert.equal(reasonText(speechOf('de'), 'Menge', 'is odd'), 'Menge: Bitte prüfen Sie diese Angabe')
    assert.equal(reasonText(speechOf('en'), 'Quantity', 'is odd'), 'Quantity is odd')
  })

  test('a problem is translated where it is known', () => {
    assert.equal(
      problemText(speechOf('fr'), 'Too many requests: try again in 7 s'),
      'Trop d’essais : attendez 7 secondes',
    )
    assert.equal(problemText(speechOf('fr'), 'Something new'), 'Something new')
  })
})

test.each([
  ['de-AT,en;q=0.8', 'de'],
  ['nl, ru;q=0.5, en;q=0.7', 'en'],
  ['zh-Hant-TW', 'zh'],
  ['pt;q=0, fr', 'fr'],
  ['', 'en'],
  ['*', 'en'],
  [';;;q=,,', 'en'],
  ['x'.repeat(100_000), 'en'],
])('%.40s is answered in %s', (header, language) => {
  assert.equal(preferredLanguage(header), language)
})
