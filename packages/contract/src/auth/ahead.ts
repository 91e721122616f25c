import * as z from 'zod/mini'

/*
 * A sign-in may bring along what is asked first of who signs in, so that the answers come with the token instead of a round
 * trip later.
 */

/** What is asked so, by address: `["/api/me", "/api/projects?limit=1"]`. */
export const askedAhead = z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(6)))

/**
 * What each address answers with the token. What may not be asked so, is refused or takes long is left out: it is asked
 * by itself.
 */
export const answeredAhead = z.optional(z.record(z.string(), z.unknown()))
