import type { ComponentChildren } from "preact"
import { Scroll } from "./Scroll.tsx"

export const Table = ({ children, heads, label, kind }: {
  readonly label: string
  /** Column headings, optionally with a class. */
  readonly heads: ReadonlyArray<string | readonly [column: string | undefined, head: ComponentChildren]>
  readonly kind?: string
  readonly children: ComponentChildren
}) => (
  <Scroll label={label}>
    <table class={kind === undefined ? "list" : `list ${kind}`}>
      <thead>
        <tr>
          {heads.map((head, nth) => {
            const [column, words] = typeof head === "string" ? [undefined, head] : head
            return <th key={nth} scope="col" class={column}>{words}</th>
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scroll>
)
