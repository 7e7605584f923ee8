import { outfitter } from "../../lib/outfitter.ts"

/** Lists the trips. */
export const GET = async (): Promise<Response> => {
  const { data } = await outfitter.offerings.list()
  return Response.json(data.map(({ id, name }) => ({ id, name })))
}

/** Books a trip for a guest. */
export const POST = async (request: Request): Promise<Response> => {
  const { email, offering_id, people, starts_at } = await request.json()
  const result = await outfitter.as({ source: "widget" }).try.bookings.create({
    offering_id,
    starts_at,
    quantity: people,
    customer: { email }
  })
  if (result.ok) return Response.json({ reference: result.value.reference }, { status: 201 })
  return Response.json({ error: result.error.message }, { status: result.error.status })
}
