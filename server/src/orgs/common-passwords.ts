/** The most common passwords and the words they are made of. In lower case, without digits at the end. */
const words = `
password passwort passwd motdepasse contrasena senha wachtwoord parola haslo salasana
welcome welcomeback letmein letmeinnow letmeinplease openup changeme changethis changeit changemenow pleasechange
administrator admin adminadmin root superuser sysadmin manager master default guest test tester testing testtest demo
iloveyou iloveyousomuch loveyou lovelove ilovemyfamily sunshine princess dragon monkey football baseball basketball soccer
hockey superman batman spiderman starwars pokemon shadow michael jennifer jessica daniel ashley matthew charlie jordan
qwerty qwertyuiop qwertyqwerty qwertz qwertzuiop azerty azertyuiop asdfgh asdfghjkl zxcvbnm qazwsx qazwsxedc qazwsxedcrfv
qweasdzxc zaqwsx asdfasdf asdfqwer poiuytrewq mnbvcxz abcdef abcdefgh abcdefghij abcdefghijkl aaaaaa abcabc
trustno trustme whatever freedom forever computer internet secret supersecret topsecret mysecret access accessdenied
company corporate business office contract contracts signature esignature countersign document documents
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter
correcthorsebatterystaple horsebatterystaple passwordpassword mypassword mypasswordis thisismypassword thepassword
yourpassword newpassword oldpassword temppassword temporarypassword temporary
`;

export const commonPasswords: ReadonlySet<string> = new Set(words.split(/\s+/).filter((word) => word.length > 2));
