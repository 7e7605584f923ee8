/**
 * What was just done, in words, by what the address says after `done=`: an address never brings words of its own.
 */
const words = {
  saved: "Saved.",
  withdrawn: "The assistant is disconnected.",
  ended: "That browser is signed out."
} as const

/**
 * @category models
 */
export type Done = keyof typeof words

/**
 * @category getters
 */
export const said = (done: string | undefined): string | undefined =>
  done !== undefined && Object.hasOwn(words, done) ? words[done as Done] : undefined

/**
 * The address of a page that says what was done.
 *
 * @category constructors
 */
export const saying = (path: `/${string}`, done: Done): `/${string}` =>
  `${path}${path.includes("?") ? "&" : "?"}done=${done}`
