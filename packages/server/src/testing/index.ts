export { createCertificate } from "./create-certificate.ts";
