// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/statement_map_form.h"

#include "models/format/display_text.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kColumnChars = 60;
constexpr int kCodeLength = 3; // of ISO 4217

QString chosenColumn(const QComboBox *box)
{
    const int known = box->findText(box->currentText());
    return known >= 0 ? box->itemData(known).toString() : box->currentText().trimmed();
}

void chooseColumn(QComboBox *box, const QString &column)
{
    const QSignalBlocker quiet(box);
    const int at = box->findData(column);
    if (at < 0 && box->isEditable()) {
        box->setEditText(column);
    } else {
        box->setCurrentIndex(std::max(0, at));
    }
}

/// "paid, settled" as the words of a state.
QStringList wordsIn(const QString &text)
{
    QStringList words;
    for (const QString &word : text.split(u',')) {
        words += word.trimmed().isEmpty() ? QStringList() : QStringList { word.trimmed().toLower() };
    }
    return words;
}

} // namespace

StatementMapForm::StatementMapForm(QWidget *parent)
    : QWidget(parent)
    , m_form(formColumn(this))
    , m_kind(new QComboBox(this))
    , m_code(addLine(u"statementCode"_s, tr("or a code for all, such as EUR")))
    , m_utc(new QCheckBox(tr("Times without a &zone are UTC"), this))
    , m_happened(addLine(u"statementHappened"_s, tr("e.g. paid, settled")))
    , m_failed(addLine(u"statementFailed"_s, tr("e.g. declined")))
    , m_allHappened(new QCheckBox(tr("No state column: every line &happened"), this))
    , m_reference(nullptr)
    , m_amount(nullptr)
    , m_currency(nullptr)
    , m_time(nullptr)
    , m_state(nullptr)
    , m_id(nullptr)
{
    m_kind->setObjectName(u"statementAmountForm"_s);
    m_kind->setAccessibleName(tr("How amounts are written"));
    m_kind->addItem(tr("as 1234.50"), int(models::AmountForm::Point));
    m_kind->addItem(tr("as 1.234,50"), int(models::AmountForm::Comma));
    m_kind->addItem(tr("in cents: 123450"), int(models::AmountForm::Minor));
    m_code->setAccessibleName(tr("Currency of all lines"));
    m_code->setMaxLength(kCodeLength);
    m_utc->setObjectName(u"statementUtc"_s);
    m_happened->setAccessibleName(tr("Words that mean success"));
    m_failed->setAccessibleName(tr("Words that mean failure"));
    auto *words = new QWidget(this);
    auto *row = barRow({ buddyLabel(tr("Success"), m_happened, words), m_happened,
                           buddyLabel(tr("Failure"), m_failed, words), m_failed },
        words);
    row->setContentsMargins(0, 0, 0, 0);
    m_reference = addColumn(u"statementReference"_s, tr("&Reference"), tr("Choose the column"));
    m_amount = addColumn(u"statementAmount"_s, tr("A&mount"), tr("none: amounts are not compared"), m_kind);
    m_currency = addColumn(u"statementCurrency"_s, tr("C&urrency"), tr("none"), m_code);
    m_time = addColumn(u"statementTime"_s, tr("&Time"), tr("none: what it covers is not known"), m_utc);
    m_state = addColumn(u"statementState"_s, tr("&State"), tr("Choose the column"), words);
    m_allHappened->setObjectName(u"statementAllHappened"_s);
    addRow(m_form, QString(), m_allHappened);
    connect(m_allHappened, &QCheckBox::clicked, this, &StatementMapForm::changed);
    m_id = addColumn(u"statementId"_s, tr("Statement line &ID"), tr("none"));
    connect(m_kind, &QComboBox::activated, this, &StatementMapForm::changed);
    connect(m_utc, &QCheckBox::clicked, this, &StatementMapForm::changed);
    QWidget *const order[] = { m_reference, m_amount, m_kind, m_currency, m_code, m_time, m_utc, m_state, m_happened,
        m_failed, m_allHappened, m_id };
    for (std::size_t i = 1; i < std::size(order); ++i) {
        setTabOrder(order[i - 1], order[i]);
    }
}

QComboBox *StatementMapForm::addColumn(
    const QString &objectName, const QString &name, const QString &none, QWidget *beside)
{
    auto *box = new QComboBox(this);
    box->setObjectName(objectName);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
    box->addItem(none, QString());
    auto *field = new QWidget(this);
    auto *row = barRow({ box }, field);
    row->setStretchFactor(box, 1);
    row->addWidget(beside != nullptr ? beside : new QWidget(field), 1);
    addRow(m_form, name, field, box);
    connect(box, &QComboBox::activated, this, &StatementMapForm::changed);
    return box;
}

QLineEdit *StatementMapForm::addLine(const QString &objectName, const QString &hint)
{
    auto *line = new QLineEdit(this);
    line->setObjectName(objectName);
    line->setPlaceholderText(hint);
    connect(line, &QLineEdit::textEdited, this, &StatementMapForm::changed);
    return line;
}

void StatementMapForm::setColumns(const QStringList &columns, bool typed)
{
    for (QComboBox *box : { m_reference, m_amount, m_currency, m_time, m_state, m_id }) {
        const QSignalBlocker quiet(box);
        while (box->count() > 1) {
            box->removeItem(1);
        }
        for (const QString &column : columns) {
            box->addItem(models::displayText(column, kColumnChars), column);
        }
        if (typed && !box->isEditable()) {
            box->setEditable(true);
            box->setInsertPolicy(QComboBox::NoInsert);
            connect(box->lineEdit(), &QLineEdit::textEdited, this, &StatementMapForm::changed);
        }
    }
}

void StatementMapForm::setMap(const models::StatementMap &map)
{
    chooseColumn(m_reference, map.reference);
    chooseColumn(m_amount, map.amount);
    chooseColumn(m_currency, map.currency);
    chooseColumn(m_time, map.time);
    chooseColumn(m_state, map.state);
    chooseColumn(m_id, map.id);
    m_kind->setCurrentIndex(m_kind->findData(int(map.form)));
    m_code->setText(map.currencyCode);
    m_utc->setChecked(map.timeUtc);
    m_happened->setText(map.happened.join(u", "_s));
    m_failed->setText(map.failed.join(u", "_s));
    m_allHappened->setChecked(map.allHappened);
}

models::StatementMap StatementMapForm::map() const
{
    models::StatementMap map;
    map.reference = chosenColumn(m_reference);
    map.amount = chosenColumn(m_amount);
    map.form = static_cast<models::AmountForm>(m_kind->currentData().toInt());
    map.currency = chosenColumn(m_currency);
    map.currencyCode = m_code->text().trimmed().toUpper();
    map.time = chosenColumn(m_time);
    map.timeUtc = m_utc->isChecked();
    map.state = chosenColumn(m_state);
    map.happened = wordsIn(m_happened->text());
    map.failed = wordsIn(m_failed->text());
    map.allHappened = m_allHappened->isChecked();
    map.id = chosenColumn(m_id);
    return map;
}

QString StatementMapForm::fault() const
{
    const models::StatementMap wanted = map();
    if (wanted.empty()) {
        return tr("Choose the column that holds the reference.");
    }
    if (!wanted.tellsOutcome()) {
        return tr("Choose the column of the state, or say that each line happened.");
    }
    const auto read = models::statementMapFrom(wanted.toTexts());
    return read ? QString() : read.error().what;
}

void StatementMapForm::focusFirst()
{
    m_reference->setFocus(Qt::OtherFocusReason);
}

} // namespace idemdesk::ui
