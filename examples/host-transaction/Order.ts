/** A trip with lunch. Trailbook stores the trip, and the shop stores the lunch. */
export interface Order {
  readonly offering_id: string
  readonly starts_at: string
  readonly people: number
  readonly email: string
  readonly lunches: number
}

export interface Sale {
  readonly reference: string
  readonly lunches: number
}

/** The number of lunches that the kitchen can make. */
export const kitchen = 6

export class NoLunch extends Error {
  override readonly name = "NoLunch"
}
