import { meEndpoints, sessionEndpoints } from '@pult/contract'
import { api } from './api.ts'

/*
 * The calls about who somebody is. They stand apart because they bring the contract and its schemas along: the login is on
 * screen before those have been evaluated.
 */

export const reissue = () => api(sessionEndpoints.reissue)

export const readMe = (how: { background?: boolean } = {}) => api(meEndpoints.read, how)
