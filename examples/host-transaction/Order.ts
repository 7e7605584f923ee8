/** A trip with lunch: the trip is Trailbook's, the lunch is the shop's. */
export interface Order {
  readonly offering_id: string
  readonly starts_at: string
  readonly people: number
  readonly email: string
  readonly lunches: number
}

export interface Sold {
  readonly reference: string
  readonly lunches: number
}

/** How many lunches the kitchen makes. */
export const kitchen = 6

export class NoLunch extends Error {
  override readonly name = "NoLunch"
}
