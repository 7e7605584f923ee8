import type { ComponentChildren } from "preact"
import { type IconName, icons } from "../../assets/generated.ts"
import type { Site } from "../../Site.ts"

/** Decorative icon next to a text. */
export const Icon = ({ name, site }: { readonly site: Pick<Site, "link">; readonly name: IconName }) => (
  <svg class="icon" aria-hidden="true">
    <use href={site.link(`/assets/${icons.file}#${name}`)} />
  </svg>
)

/** Link styled as a button, with an icon. */
export const IconLink = ({ children, href, icon, isMain = false, site }: {
  readonly site: Pick<Site, "link">
  readonly icon: IconName
  readonly href: string
  readonly isMain?: boolean
  readonly children: ComponentChildren
}) => (
  <a class={isMain ? "btn main" : "btn"} href={href}>
    <Icon site={site} name={icon} />
    {children}
  </a>
)
