import { price } from "@trailbook/core/money/price"
import type { VisitMonthView } from "@trailbook/core/operation/VisitView"
import type { ShownOf } from "../ui/Shown.ts"
import type { Typed } from "./Typed.ts"

/**
 * What the views of an offering's page show.
 *
 * @category models
 */
export interface Picked {
  readonly shown: ShownOf
  readonly open: VisitMonthView
  /** The start that was chosen before. */
  readonly slot: string | undefined
  /** The place that was chosen is gone. */
  readonly isLost: boolean
  /** What somebody had typed when they lost it: it goes along with every choice. */
  readonly typed: Typed | undefined
}

/**
 * Pages of booking are also shown within the outfitter's own website.
 *
 * @category constants
 */
export const ofBook = { frames: "*", style: "book", script: "book" } as const

/**
 * The address of an offering, or of something below it.
 *
 * @category getters
 */
export const pathOf = ({ open, shown }: Pick<Picked, "open" | "shown">, below = ""): `/${string}` =>
  `/book/${shown.org.slug}/${open.offering.id}${below}`

/**
 * What goes along with every choice: how many, and for how long.
 *
 * @category getters
 */
export const wantedOf = ({ offering, periods, quantity }: VisitMonthView) => ({
  quantity: quantity === 1 ? undefined : quantity,
  periods: offering.kind === "rental" && periods > 1 ? periods : undefined
})

/**
 * What it costs in all, in the smallest unit of the currency.
 *
 * @category calculating
 */
export const totalOf = ({ offering, periods, quantity }: VisitMonthView): number =>
  price({ kind: offering.kind, priceCents: offering.price_cents, quantity, periods })
