import { meEndpoints, sessionEndpoints } from '@pult/contract'
import { api } from './api.ts'

/*
 * The calls about the user's identity. They are a separate module because they import the contract and its schemas,
 * and the login must render before those are evaluated.
 */

export const reissue = () => api(sessionEndpoints.reissue)

export const readMe = (how: { background?: boolean } = {}) => api(meEndpoints.read, how)
