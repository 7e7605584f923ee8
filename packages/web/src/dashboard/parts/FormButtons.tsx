import type { Site } from "../../Site.ts"

/** The button that sends a form, and the way back without it. */
export const FormButtons = (
  { back, backLabel = "Go back", confirm, isGrave = false, site }: {
    readonly site: Pick<Site, "link">
    /** What the button does, in its own words: "Create key". */
    readonly confirm: string
    readonly isGrave?: boolean
    /** Where somebody goes who does not want it. */
    readonly back: `/${string}`
    readonly backLabel?: string | undefined
  }
) => (
  <p class="acts">
    <button class={isGrave ? "btn main grave" : "btn main"}>{confirm}</button>
    <a class="btn" href={site.link(back)}>{backLabel}</a>
  </p>
)
