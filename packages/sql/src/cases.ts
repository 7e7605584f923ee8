/**
 * @since 0.1.0
 */

/**
 * A character in every case it has, as far as that is one character: "ß" in
 * upper case is two. What a pattern makes of them depends on no collation.
 *
 * @since 0.1.0
 * @category searching
 */
export const casesOf = (character: string): ReadonlyArray<string> =>
  [...new Set([character, character.toLowerCase(), character.toUpperCase()])].filter((text) =>
    Array.from(text).length === 1
  )
