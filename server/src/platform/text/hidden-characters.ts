// Controls, soft hyphen, direction marks and overrides, zero-width space, word joiner and its kin, line separators,
// fillers that show nothing, the byte order mark, and tags.
// oxlint-disable no-misleading-character-class -- each of these is meant alone.
const hidden =
  /[\p{Cc}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/u

// Where a joiner or a tag belongs to what is seen: inside an emoji, and between letters of scripts that need it.
const joined = /(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*)\u200d(?=\p{Extended_Pictographic}|[♀♂⚕])/gu
const flags = /(?<=\u{1f3f4})[\u{e0020}-\u{e007e}]{2,6}\u{e007f}/gu
const shaped =
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}])[\u200c\u200d]/gu

/** Whether a name holds something that is not seen, or turns the direction of what follows it. */
export function hiddenCharacters(text: string): boolean {
  return hidden.test(text.replace(joined, '').replace(flags, '').replace(shaped, ''))
}

export const hiddenCharactersReason = 'must not contain invisible or direction-changing characters'
