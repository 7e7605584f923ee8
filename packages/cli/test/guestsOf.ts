import { request } from "./program.ts"

/** Four concurrent guests keep booking until stopped. `acknowledged` lists the confirmed bookings in order. */
export const guestsOf = async (baseUrl: string, key: unknown) => {
  const post = (path: string, body: object) =>
    request(`${baseUrl}${path}`, key, { method: "POST", body: JSON.stringify(body) })
  const { body: { id: offering_id } } = await post("/offerings", { name: "Float", kind: "class", capacity: 10_000 })
  const starts_at = new Date(Date.now() + 86_400_000).toISOString()
  const { body: { data } } = await post("/sessions", { offering_id, starts_at })
  const acknowledged: Array<string> = []
  const rejections: Array<number> = []
  const state = { booking: true }
  const one = async (guest: number) => {
    for (let nth = 0; state.booking; nth++) {
      const customer = { email: `guest-${guest}-${nth}@example.com`, name: "Guest" }
      const { body, status } = await post("/bookings", { offering_id, session_id: data?.[0]?.id, customer })
      if (status === 201) acknowledged.push(String(body.id))
      else rejections.push(status)
    }
  }
  const all = Promise.all([1, 2, 3, 4].map(one))
  return {
    acknowledged,
    rejections,
    some: async (count: number) => {
      while (acknowledged.length < count) await new Promise((resolve) => setImmediate(resolve))
    },
    stop: () => {
      state.booking = false
      return all
    }
  }
}
