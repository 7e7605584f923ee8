/** Tests the booking page's schema.org data. */
import { assert, describe, it } from "vitest"
import { open } from "./World.ts"

const about = (html: string): unknown =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? "null")

describe("the schema.org data", () => {
  it("contains prices with fees, availability, and the day's departures", async () => {
    const world = await open({ publicUrl: "https://book.example.com" })
    await world.call("org.update", { fees: [{ id: "river", name: "River fee", cents: 500, per: "place" }] })
    const { id } = await world.call("offerings.create", {
      name: "Raft",
      kind: "class",
      capacity: 8,
      price_cents: 9500,
      location: "Riverside Park"
    })
    const { id: kayak } = await world.call("offerings.create", { name: "Kayak", kind: "class", price_cents: 100 })
    for (const [starts_at, capacity] of [["2027-05-03T15:00:00Z", 8], ["2027-05-03T19:00:00Z", 1]] as const) {
      await world.call("sessions.create", { offering_id: id, starts_at, capacity })
    }
    const { data: [, small] } = await world.call("sessions.list", { offering_id: id }) as unknown as {
      readonly data: ReadonlyArray<{ readonly id: string }>
    }
    await world.call("bookings.create", {
      offering_id: id,
      session_id: small?.id,
      customer: { email: "ada@example.com" }
    })
    const url = "https://book.example.com/book/salida-river-co"
    const offer = (path: string, price: string, availability: string) => ({
      "@type": "Offer",
      url: `${url}/${path}`,
      price,
      priceCurrency: "USD",
      availability: `https://schema.org/${availability}`
    })
    assert.deepInclude(about((await world.ask("/book/salida-river-co")).html), {
      "@type": "TravelAgency",
      makesOffer: [
        { ...offer(id, "100.00", "InStock"), itemOffered: { "@type": "TouristTrip", name: "Raft" } },
        { ...offer(kayak, "6.00", "SoldOut"), itemOffered: { "@type": "TouristTrip", name: "Kayak" } }
      ]
    })
    const seller = { "@type": "Organization", name: "Salida River Co." }
    const event = (startDate: string, endDate: string, availability: string) => ({
      "@context": "https://schema.org",
      "@type": "Event",
      name: "Raft",
      startDate,
      endDate,
      organizer: seller,
      location: { "@type": "Place", name: "Riverside Park", address: "Riverside Park" },
      offers: offer(id, "100.00", availability)
    })
    assert.deepStrictEqual(about((await world.ask(`/book/salida-river-co/${id}`)).html), [
      {
        "@context": "https://schema.org",
        ...offer(id, "100.00", "InStock"),
        itemOffered: { "@type": "TouristTrip", name: "Raft" },
        seller
      },
      event("2027-05-03T15:00:00.000Z", "2027-05-03T17:00:00.000Z", "InStock"),
      event("2027-05-03T19:00:00.000Z", "2027-05-03T21:00:00.000Z", "SoldOut")
    ])
  })
})
