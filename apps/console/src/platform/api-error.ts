// The class is the SDK's, so that extensions can check caught errors with `instanceof`.
export { ApiError, isSessionEnd, messageOf } from '@pult/sdk/api-error'
