/**
 * What guests' pages need: until when guests change their booking by themselves, what the pages look
 * like, what was typed for a booking, and the links that show a guest the rest of their thread.
 */
const text = `text collate "C"`

export const guests = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".orgs add column guest_changes_hours bigint, add column accent ${text},
    add column logo_url ${text}, add column cover_url ${text}`,
  `alter table "${schema}".bookings add column contact_email ${text}, add column contact_name ${text},
    add column contact_phone ${text}`,
  `alter table "${schema}".conversations add column link_digest ${text}, add column link_until bigint,
    add column shown_digest ${text}, add column shown_until bigint`
]
