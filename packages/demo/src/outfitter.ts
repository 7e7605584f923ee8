/**
 * The demo's outfitter. It offers rafting on the Arkansas near Salida, Colorado, and rents kayaks for Labyrinth Canyon
 * on the Green River in Utah. The people are invented. The rivers, put-ins, coordinates, and gauges are real.
 */
import type { offeringsCreate } from "@trailbook/core/offering"
import type { OperationInput } from "./callOperation.ts"

export const outfitter = { name: "Salida River Co.", timezone: "America/Denver", currency: "usd", plan: "pro" } as const

const salida = { lat: 38.5347, lon: -106.0017 }
const greenRiver = { lat: 38.985, lon: -110.151 }

type Offering = OperationInput<typeof offeringsCreate>

export const brownsCanyonOffering: Offering = {
  name: "Browns Canyon Half Day",
  kind: "class",
  description: "Class III through Browns Canyon National Monument: Pinball, Zoom Flume, Big Drop, Staircase. " +
    "Ten miles from Fisherman's Bridge to Hecla Junction. The shuttle leaves from our boathouse. Ages 8 and up.",
  location: "Boathouse at Riverside Park, Salida, Colorado",
  duration_minutes: 240,
  capacity: 12,
  max_per_booking: 12,
  price_cents: 9500,
  min_notice_minutes: 60,
  metadata: { put_in: "Fisherman's Bridge", take_out: "Hecla Junction", rapids: "III" },
  ...salida,
  // This gauge is on the Arkansas River near Nathrop, at the head of the canyon.
  gauge_site: "07091200",
  info: {
    bring: "Shoes that can get wet, sunscreen, and dry clothes for afterward. We provide wetsuits and life jackets.",
    requirements: "All guests must be able to swim.",
    min_age: 8,
    waiver_url: null
  }
}

export const familyFloatOffering: Offering = {
  name: "Salida to Rincon Family Float",
  kind: "class",
  description: "Class II through Bighorn Sheep Canyon, with time to watch for bighorn sheep. Ages 4 and up.",
  location: "Salida boat ramp, Riverside Park, Salida, Colorado",
  duration_minutes: 180,
  capacity: 16,
  max_per_booking: 16,
  price_cents: 6500,
  min_notice_minutes: 60,
  metadata: { put_in: "Salida boat ramp", take_out: "Rincon", rapids: "II" },
  ...salida,
  // This gauge is on the Arkansas River near Wellsville, just below Salida.
  gauge_site: "07093700",
  info: { bring: "Sandals, sunscreen, and a hat.", requirements: "", min_age: 4, waiver_url: null }
}

export const fishingGuideOffering: Offering = {
  name: "Fly Fishing with a Guide",
  kind: "appointment",
  description: "Half-day wade trip for brown trout on the Arkansas, with rod and waders included. One or two anglers.",
  location: "Boathouse at Riverside Park, Salida, Colorado",
  duration_minutes: 240,
  // The outfitter has two guides.
  capacity: 2,
  max_per_booking: 2,
  price_cents: 32_500,
  buffer_minutes: 60,
  min_notice_minutes: 720,
  ...salida,
  gauge_site: "07091200"
}

export const touringKayakOffering: Offering = {
  name: "Labyrinth Canyon Touring Kayak",
  kind: "rental",
  description:
    "A touring kayak with paddle, spray skirt, and life jacket, by the day. Flatwater from Green River through " +
    "Labyrinth Canyon to Mineral Bottom: 68 miles, four or five days.",
  location: "Green River State Park, Green River, Utah",
  duration_minutes: 1440,
  capacity: 8,
  max_per_booking: 4,
  max_periods: 7,
  price_cents: 4500,
  min_notice_minutes: 1440,
  metadata: { put_in: "Green River State Park", take_out: "Mineral Bottom" },
  ...greenRiver,
  // This gauge is on the Green River at Green River, UT.
  gauge_site: "09315000"
}

export interface Guest {
  readonly name: string
  readonly email: string
  readonly phone: string
}

/** The demo's guests. Their email addresses and phone numbers are from ranges reserved for examples. */
export const guests: ReadonlyArray<Guest> = [
  "Maya Okafor",
  "Jonas Lindqvist",
  "Priya Raman",
  "Dale Whitcomb",
  "Hannah Kessler",
  "Luis Ortega",
  "Sofia Marchetti",
  "Ben Tsosie",
  "Aiko Tanabe",
  "Grace Holloway",
  "Tomás Herrera",
  "Wendy Castellanos",
  "Omar Haddad",
  "Ruth Abernathy",
  "Mei-Ling Zhou",
  "Caleb Strand",
  "Ingrid Solheim",
  "Darius Whitfield",
  "Noor Rahimi",
  "Patrick O'Malley",
  "Leilani Kahale",
  "Theo Papadakis",
  "Annika Voss",
  "Marcus Bell",
  "Elena Rodriguez",
  "Sam Yellowhorse",
  "Chloé Fournier",
  "Derek Nguyen",
  "Fatima Zahra",
  "Walt Jorgensen",
  "Bea Sutherland",
  "Isaac Feldman",
  "Rosa Delgado",
  "Kenji Watanabe",
  "Molly Pruitt",
  "Anders Nyström"
].map((name, at) => ({
  name,
  email: `${addressable(name)}@example.com`,
  phone: `+1 719 555 01${10 + at}`
}))

/** Converts a name to the local part of an email address, such as `patrick.omalley`. */
function addressable(name: string): string {
  return name.normalize("NFD").replace(/[^A-Za-z -]/g, "").toLowerCase().replace(" ", ".")
}
