// The class is the SDK's, so that extensions can tell what kind of error they have caught.
export { ApiError, isSessionEnd, messageOf } from '@pult/sdk/api-error'
