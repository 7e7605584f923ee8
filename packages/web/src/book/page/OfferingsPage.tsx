import type { SlotView } from "@trailbook/core/availability"
import { getCurrencyDecimals } from "@trailbook/core/money"
import type { PhotoView } from "@trailbook/core/offering"
import type { PublicListingView, PublicOfferingView } from "@trailbook/core/operation"
import type { Page } from "../../ui/Document.tsx"
import { buildImageHref, href } from "../../ui/href.ts"
import { Layout } from "../../ui/Layout.tsx"
import { PlaceholderImage } from "../../ui/PlaceholderImage.tsx"
import type { OrgRenderContext } from "../../ui/RenderContext.ts"
import { bookPageOptions } from "../OfferingPageProps.tsx"

/** Renders the outfitter's offerings, each with its next available start time. */
export const offeringsPage = (context: OrgRenderContext, offerings: ReadonlyArray<PublicListingView>): Page => {
  const { org, site, text: { book } } = context
  return {
    title: book.title(org.name),
    description: offerings.length === 0 ? book.title(org.name) : joinNames(offerings.map(({ name }) => name)),
    canonical: site.absolute(`/book/${org.slug}`),
    ...bookPageOptions,
    isCacheable: true,
    about: toTravelAgency(context, offerings),
    body: (
      <Layout shown={context}>
        {org.cover_url !== null && (
          <img class="cover" src={buildImageHref(context, org.cover_url)} alt="" referrerpolicy="no-referrer" />
        )}
        <div class="stack tight">
          <h1 dir="auto">{book.title(org.name)}</h1>
          <p class="soft">{offerings.length === 0 ? book.nothing : book.lead}</p>
        </div>
        {offerings.length === 0
          ? (
            <p>
              <a class="btn" href={href(context, `/book/${org.slug}/question`)}>{context.text.frame.ask}</a>
            </p>
          )
          : (
            <ul class="offers">
              {offerings.map((offering, at) => (
                <OfferingCard key={offering.id} shown={context} offering={offering} isFirst={at === 0} />
              ))}
            </ul>
          )}
      </Layout>
    )
  }
}

const OfferingCard = ({ isFirst, offering, shown }: {
  readonly shown: OrgRenderContext
  readonly offering: PublicListingView
  readonly isFirst: boolean
}) => {
  const { format, org, text: { book } } = shown
  const { description, duration_minutes, id, name, next, photos } = offering
  return (
    <li class="card offer">
      {photos[0] === undefined
        ? (
          <div class="art">
            <PlaceholderImage seed={id} />
          </div>
        )
        : (
          <div class="art photo">
            <OfferingPhoto
              shown={shown}
              photo={photos[0]}
              isFirst={isFirst}
              sizes="(min-width: 44rem) 20rem, 92vw"
              alt=""
            />
          </div>
        )}
      <div class="body">
        <h2>
          <a href={href(shown, `/book/${org.slug}/${id}`)} dir="auto">{name}</a>
        </h2>
        {description !== "" && <p class="soft small first" dir="auto">{firstSentenceOf(description)}</p>}
        <p class="chips">
          <span class="chip">{format.length(duration_minutes)}</span>
          {next !== null && isNearlyFull(next) && <span class="chip low">{book.left(next.remaining)}</span>}
        </p>
        <p class="end">
          <Price shown={shown} offering={offering} />
          <span class="soft small num">{next === null ? book.noneNear : book.next(format.day(next.starts_at))}</span>
        </p>
      </div>
    </li>
  )
}

/** Describes the outfitter and its offerings for search engines. */
export const toTravelAgency = (context: OrgRenderContext, offerings: ReadonlyArray<PublicListingView>): object => {
  const { org, site } = context
  return {
    "@context": "https://schema.org",
    "@type": "TravelAgency",
    name: org.name,
    url: site.absolute(`/book/${org.slug}`),
    ...(org.phone === null ? {} : { telephone: org.phone }),
    makesOffer: offerings.map((offering) => toOffer(context, offering, offering.next))
  }
}

/** Whether the remaining capacity is low enough to show "few left". */
export const isNearlyFull = (
  { capacity, remaining }: { readonly capacity: number; readonly remaining: number }
): boolean => remaining <= 3 && remaining < capacity

/** Converts an available start time to a schema.org `Offer`, priced for the smallest party including mandatory fees. */
export const toSlotOffer = (
  { org, site }: OrgRenderContext,
  { from_cents, id, price_cents }: Pick<PublicListingView, "from_cents" | "id" | "price_cents">,
  slot: SlotView | null
): object => {
  const decimals = getCurrencyDecimals(org.currency)
  return {
    "@type": "Offer",
    url: site.absolute(`/book/${org.slug}/${id}`),
    // Search engines expect decimal amounts.
    price: ((from_cents ?? price_cents) / 10 ** decimals).toFixed(decimals),
    priceCurrency: org.currency.toUpperCase(),
    availability: `https://schema.org/${
      slot === null || slot.remaining === 0 ? "SoldOut" : isNearlyFull(slot) ? "LimitedAvailability" : "InStock"
    }`
  }
}

/** Converts an offering to a schema.org `Offer`. If no start time has room, the offer is marked as sold out. */
export const toOffer = (
  context: OrgRenderContext,
  offering: Omit<PublicListingView, "next">,
  next: SlotView | null
): object => {
  const { description, name } = offering
  const image = getFirstPhotoUrl(context, offering)
  return {
    ...toSlotOffer(context, offering, next),
    itemOffered: {
      "@type": "TouristTrip",
      name,
      ...(description === "" ? {} : { description }),
      ...(image === undefined ? {} : { image })
    }
  }
}

/** Returns the first photo's absolute URL, for search engines and link previews. */
export const getFirstPhotoUrl = (
  { site }: OrgRenderContext,
  { photos: [first] }: Pick<PublicListingView, "photos">
): string | undefined => first && site.absolute(`/${first.url_1600.slice(1)}`)

/** Returns the first sentence of a description, because a card has no room for more. */
const firstSentenceOf = (description: string): string => {
  const [first = ""] = /^[\s\S]*?[.!?。](?=\s|$)/.exec(description) ?? [description]
  return first
}

/** Lists names for the meta description. Search engines show only the beginning of a description. */
const joinNames = (names: ReadonlyArray<string>): string => names.join(", ").slice(0, 300)

type PricedOffering = Pick<PublicOfferingView, "duration_minutes" | "from_cents" | "kind" | "price_cents">

/** The total of the smallest possible booking if known, otherwise the price with its unit. */
export const Price = ({ offering, shown }: { readonly shown: OrgRenderContext; readonly offering: PricedOffering }) => {
  const { format, text: { book } } = shown
  if (offering.from_cents !== null && offering.from_cents > 0) {
    return <b class="num">{book.from(format.money(offering.from_cents))}</b>
  }
  if (offering.price_cents === 0) return <b>{book.free}</b>
  const unit = offering.kind === "rental"
    ? book.eachPeriod(format.length(offering.duration_minutes))
    : book.each[offering.kind]
  return (
    <span>
      <b class="num">{format.money(offering.price_cents)}</b> {unit}
    </span>
  )
}

/**
 * A photo, loaded at the width that the screen needs. Its dimensions are set, so the layout does not shift when the
 * photo loads. Only the first photo on a page is loaded before the guest scrolls to it.
 */
export const OfferingPhoto = ({ isFirst, photo, shown: { site }, sizes, alt = photo.alt }: {
  readonly shown: OrgRenderContext
  readonly photo: PhotoView
  readonly isFirst: boolean
  /** The width on the screen, in the syntax of the HTML attribute `sizes`. */
  readonly sizes: string
  readonly alt?: string
}) => {
  const { height, url_1600, url_800, width } = photo
  const small = site.link(`/${url_800.slice(1)}`)
  // For a tall photo, the height limits the width.
  const smallWidth = Math.min(800, width, Math.round(1600 * width / height))
  return (
    <img
      src={small}
      {...smallWidth < width
        ? { srcset: `${small} ${smallWidth}w, ${site.link(`/${url_1600.slice(1)}`)} ${width}w`, sizes }
        : {}}
      alt={alt}
      width={width}
      height={height}
      {...isFirst ? { fetchpriority: "high" } : { loading: "lazy" }}
    />
  )
}
