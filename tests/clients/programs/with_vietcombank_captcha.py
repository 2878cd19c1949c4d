"""vietcombank-captcha: the digits of a captcha."""

from samples import found, picture
from vietcombank_captcha import VietcombankCaptcha

model = VietcombankCaptcha()
found(digits=[model.predict(picture(words, (155, 50), 36)) for words in ("39427", "10856")])
