/**
 * The only primary keys, unique constraints, and foreign keys that do not contain the org. Each key finds a row for a
 * caller that has not specified an org, so its value must be unique across the entire database. All of these values are
 * random or issued by a single authority. Including the org in the key would allow two orgs to store the same value,
 * and the lookup could then return the wrong org's row.
 */
export const keysAcrossOrgs: Readonly<Record<string, string>> = {
  "orgs (id)": "the key of the org itself",
  "orgs (slug)": "the address of the booking page",
  "api_keys (id)": "part of an API key, which is the only credential of a request",
  "bookings (handle)": "the address of the guest's page, in mails that were already sent",
  "bookings (check_in_token)": "the address in a QR code, which is printed and photographed",
  "conversations (token)": "part of the reply address, in mails that were already sent",
  "messages (bounce_token)": "part of the return path, in mails that were already sent",
  "webhooks (id)": "the queue of deliveries reads the endpoints of all orgs in this order",
  "payments (provider, intent)": "one payment of a provider must not be recorded for two orgs",
  "payment_connections (id)": "part of the address for notifications, which is registered with the provider",
  "sign_in_links (digest)": "a staff member who opens a mailed link is not signed in to an org yet",
  "logins (digest)": "a session cookie contains only the token",
  "passkeys (id)": "a passkey signs in without an email address",
  "passkey_challenges (digest)": "a sign-in with a passkey starts before the org is known",
  "applications (client_id)": "an OAuth application registers itself before any org approves it",
  "grant_codes (digest)": "the token endpoint receives only the code",
  "grant_tokens (digest)": "a request with an OAuth token contains only the token"
}
