import type { ComponentChildren } from "preact"

/** Key figure in a list of tiles. */
export const Tile = ({ children, name }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="card tile">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
