import type { DashboardContext } from "../Page.ts"
import { publicUrl } from "../settings/publicUrl.ts"

/**
 * Where guests book, and what is worth doing next.
 *
 * @category views
 */
export const YourPage = (
  { isBookable, offeringId, shown }: {
    readonly isBookable: boolean
    readonly offeringId: string | undefined
    readonly shown: DashboardContext
  }
) => {
  const { isOwner, org, site } = shown
  const path = `/book/${org.slug}` as const
  if (!isBookable || offeringId === undefined) {
    return (
      <p class="soft">
        Guests will book at <span dir="ltr">{publicUrl(shown, path)}</span>
      </p>
    )
  }
  return (
    <>
      <p>
        Give this address to your guests: <a href={site.link(path)} dir="ltr">{publicUrl(shown, path)}</a>
      </p>
      <p class="acts">
        <a class="btn main" href={site.link(`${path}/${offeringId}`)}>Look at your booking page</a>
        {site.isWidget && <a class="btn" href={site.link(`/widget/${org.slug}`)}>Put it on your website</a>}
      </p>
      <h3>When you like</h3>
      <ul class="points">
        {isOwner && (
          <>
            <li>
              <a href={site.link("/dashboard/payments")}>Take payments</a>: until then guests pay when they come.
            </li>
            <li>
              <a href={site.link("/dashboard/team")}>Invite your team</a>: they get a link by mail to sign in with.
            </li>
            <li>
              <a href={site.link("/dashboard/settings")}>Color, logo and replies</a>: how your pages look and answer.
            </li>
          </>
        )}
        <li>
          <a href={site.link("/dashboard/offerings/new")}>Add another offering</a>
        </li>
      </ul>
    </>
  )
}
