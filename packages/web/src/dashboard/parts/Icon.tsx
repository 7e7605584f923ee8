import { type IconName, icons } from "../../assets/generated.ts"
import type { Site } from "../../Site.ts"

/**
 * A picture beside words that say the same.
 *
 * @category views
 */
export const Icon = ({ name, site }: { readonly site: Pick<Site, "link">; readonly name: IconName }) => (
  <svg class="icon" aria-hidden="true">
    <use href={site.link(`/assets/${icons.file}#${name}`)} />
  </svg>
)
