/**
 * Words that guessers try first, with digits and signs around them. Only what can be stretched to ten characters
 * matters here: shorter passwords are refused anyway.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  password passwort passw0rd p@ssword p@ssw0rd pa55word password1 passwordpassword mypassword yourpassword newpassword
  changeme changemenow changeit letmein letmeinnow welcome welcomehome welcome1 administrator administrador admin adminadmin
  adminadmin1 superuser rootroot rootpassword superman spiderman batman batmanbatman iloveyou iloveyou1 iloveyouso
  iloveyousomuch iloveu loveyou lovelove ilovemyself trustno1 trustnoone sunshine princess princess1 football football1
  baseball basketball softball volleyball liverpool liverpoolfc manchester manchesterunited chelsea chelseafc arsenal
  barcelona barcelonafc realmadrid juventus dragon dragonball dragonballz monkey monkey123 shadow master mastermind
  michael michelle jennifer jessica elizabeth christian christopher alexander alexandra nicholas jonathan benjamin
  charlie charlotte chocolate strawberry blueberry raspberry butterfly starwars startrek pokemon pikachu minecraft
  counterstrike battlefield worldofwarcraft playstation nintendo computer internet samsung samsunggalaxy microsoft
  windows windows10 apple iphone google facebook instagram linkedin youtube whatever nothing something secret
  topsecret secretsecret supersecret test testtest testing testpassword tester example sample guest guestguest default
  qwerty qwertyuiop qwertyui qwerty123 qwertyqwerty qwertz qwertzuiop azerty azertyuiop asdfghjkl asdfasdf asdfghjklq
  zxcvbnm zxcvbnmzxc zxcvbnm123 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 qazwsx
  qazwsxedc qazwsxedcrfv zaq12wsx zaq1zaq1 !qaz2wsx abc123 abcd1234 abcdefg a1b2c3d4 a1b2c3d4e5 aa123456789 1234567890
  0123456789 12345678910 123456789a 1234567891 12345678900 0987654321 9876543210 987654321 1111111111 0000000000
  123123123 123123123123 1231231234 112233445566 11223344556677 123321123321 1122334455 5555555555 6666666666
  7777777777 8888888888 9999999999 121212121212 12341234 1234512345 123451234512345 789456123 789456123a 147258369
  1472583690 159753 159357 741852963 correcthorsebatterystaple correcthorse correct-horse-battery-staple hunter2 hunter22
  keystall keystallkeystall shopshop mystore myshop webshop onlineshop storestore ecommerce bitcoin bitcoinbitcoin
  ethereum litecoin dogecoin tothemoon freedom forever foreveryoung friends friendship happiness beautiful gorgeous
  babygirl babyboy sweetheart darling angel angelangel jesuschrist jesus christ godisgood godislove blessed heaven
  summer summertime winter autumn spring january february september october november december monday friday
  america unitedstates london newyork newyorkcity california florida texas canada australia germany deutschland
  england france espana italia mexico brasil argentina harrypotter hogwarts gandalf lordoftherings matrix terminator
  thunder lightning tigger mustang ferrari porsche mercedes corvette camaro harley harleydavidson yamaha suzuki honda
  guitar metallica slipknot nirvana eminem blink182 greenday linkinpark pantera ironmaiden cookie cheese pepper ginger
  buster hunter ranger killer jordan jordan23 michaeljordan lebronjames ronaldo cristiano cristianoronaldo messi
  login loginlogin access accessaccess system systemadmin server database oracle mysql postgres postgresql backup
  temporary temppassword temp123 pass passpass passphrase letmein123 opensesame abracadabra hello helloworld hellohello
  goodmorning goodluck whoami nopassword nopasswd asdf1234 qwer1234 zxcv1234 a123456789 q123456789 z123456789
  `
    .trim()
    .split(/\s+/),
)
