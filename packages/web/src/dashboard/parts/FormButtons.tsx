import type { Site } from "../../Site.ts"

/** Submit button and cancel link. */
export const FormButtons = (
  { back, backLabel = "Go back", confirm, isGrave = false, site }: {
    readonly site: Pick<Site, "link">
    /** Button label with verb and object: "Create key". */
    readonly confirm: string
    readonly isGrave?: boolean
    /** Path of the cancel link. */
    readonly back: `/${string}`
    readonly backLabel?: string | undefined
  }
) => (
  <p class="acts">
    <button class={isGrave ? "btn main grave" : "btn main"}>{confirm}</button>
    <a class="btn" href={site.link(back)}>{backLabel}</a>
  </p>
)
