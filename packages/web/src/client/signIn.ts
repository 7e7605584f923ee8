// A page of the sign-in is shown only if no staff member is signed in, or if another one signs in. The saved pages of
// the previous staff member are therefore deleted.
import { forgetPages } from "./parts/savedPages.ts"

forgetPages(new URL("../dashboard", import.meta.url).href).catch(() => {})
