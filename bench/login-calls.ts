import { apiBase, loginEndpoints, meEndpoints } from '@pult/contract'

/** The login call of each side. */
export interface Side {
  url: string
  loginPath: string
  loginBody: (username: string, password: string) => unknown
}

export const mePath = `${apiBase}${meEndpoints.read.path}`

export const pultSide = (url: string): Side => ({
  url,
  loginPath: `${apiBase}${loginEndpoints.login.path}`,
  loginBody: (username, password) => ({ type: 'credentials', data: { username, password } }),
})

export const floorSide = (url: string): Side => ({
  url,
  loginPath: '/login',
  loginBody: (username, password) => ({ username, password }),
})
