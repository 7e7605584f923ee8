import { Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import { publicUrl } from "../settings/publicUrl.ts"

/** A link to the booking page, and recommended next steps. */
export const YourPage = ({ isBookable, offeringId }: {
  readonly isBookable: boolean
  readonly offeringId: string | undefined
}) => {
  const context = usePage()
  const { isOwner, org, site } = context
  const path = `/book/${org.slug}` as const
  if (!isBookable || offeringId === undefined) {
    return (
      <p class="soft">
        Booking page address <span dir="ltr">{publicUrl(context, path)}</span>
      </p>
    )
  }
  return (
    <>
      <p>
        Share this address with your guests: <a href={site.link(path)} dir="ltr">{publicUrl(context, path)}</a>
      </p>
      <p class="acts">
        <a class="btn main" href={site.link(`${path}/${offeringId}`)}>View booking page</a>
        {site.isWidget && <a class="btn" href={site.link(`/widget/${org.slug}`)}>Add to your website</a>}
      </p>
      <h3>Optional next steps</h3>
      <ul class="points">
        {isOwner && (
          <>
            <li>
              <Link to="/payments">Take payments</Link>: until then, guests pay on arrival.
            </li>
            <li>
              <Link to="/team">Invite your team</Link>. Each member gets a sign-in link by email.
            </li>
            <li>
              <Link to="/settings">Color, logo, and replies</Link>: customize your pages and automatic replies.
            </li>
          </>
        )}
        <li>
          <Link to="/offerings/new">Add another activity</Link>
        </li>
      </ul>
    </>
  )
}
