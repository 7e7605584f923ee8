import type { ComponentChildren } from "preact"

type Way = false | readonly [words: ComponentChildren, href: string]

/** The ways to other pages of a list; nothing where all of it is on this one. */
export const Pager = ({ back, label, more, only }: {
  /** What it is called where it is one of the ways of the page, such as `Pages`. */
  readonly label?: string
  readonly back: Way
  readonly more: Way
  /** Where it is shown. */
  readonly only?: "on-screen"
}) => {
  if (back === false && more === false) return null
  const Tag = label === undefined ? "p" : "nav"
  return (
    <Tag class={only === undefined ? "pager" : `pager ${only}`} aria-label={label}>
      {back === false ? <span /> : <a class="btn" href={back[1]}>{back[0]}</a>}
      {more !== false && <a class="btn" href={more[1]}>{more[0]}</a>}
    </Tag>
  )
}
