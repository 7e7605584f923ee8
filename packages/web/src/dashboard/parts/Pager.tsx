import type { ComponentChildren } from "preact"

type Way = false | readonly [words: ComponentChildren, href: string]

/** Links to other pages of a list. Renders nothing for a single page. */
export const Pager = ({ back, label, more, only }: {
  /** Accessible name, such as `Pages`. With a label, the links are a navigation landmark. */
  readonly label?: string
  readonly back: Way
  readonly more: Way
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
