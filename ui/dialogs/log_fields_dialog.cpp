// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/log_fields_dialog.h"

#include "models/format/display_text.h"
#include "models/logs/application_log.h"
#include "models/logs/log_reader.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kFieldsWidth = 700; // pixels
constexpr int kLineHeight = 88; // pixels: four lines of a wrapped record
constexpr int kReadChars = 600;

struct Field {
    QString name; ///< for mappingFrom()
    QString title;
    QStringList usual;
    QChar between = u' ';

    QString joined(const QStringList &texts) const { return texts.join(between == u',' ? u", "_s : u" "_s); }
};

std::array<Field, LogFieldsDialog::kFields> fieldsOf()
{
    const models::ApplicationLogMapping usual;
    return { Field { u"key"_s, LogFieldsDialog::tr("&Key"), usual.key },
        { u"key_hash"_s, LogFieldsDialog::tr("H&ash of the key"), usual.keyHash },
        { u"scope"_s, LogFieldsDialog::tr("&Scope"), usual.scope },
        { u"time"_s, LogFieldsDialog::tr("&Time"), usual.time },
        { u"incoming_hash"_s, LogFieldsDialog::tr("Fingerprint re&ceived"), usual.incomingHash },
        { u"existing_hash"_s, LogFieldsDialog::tr("Fingerprint st&ored"), usual.existingHash },
        { u"outcome"_s, LogFieldsDialog::tr("O&utcome"), usual.outcome },
        { u"message"_s, LogFieldsDialog::tr("&Message"), usual.message },
        { u"conflict"_s, LogFieldsDialog::tr("Outcomes that are a con&flict"), usual.conflicts, u',' },
        { u"replay"_s, LogFieldsDialog::tr("Outcomes that are a &replay"), usual.replays, u',' } };
}

} // namespace

LogFieldsDialog::LogFieldsDialog(const QStringList &places, QWidget *parent)
    : QDialog(parent)
    , m_line(new QPlainTextEdit(this))
    , m_read(wrappedLabel({}, this))
{
    setObjectName(u"logFieldsDialog"_s);
    setWindowTitle(tr("Fields of services' logs"));
    setMinimumWidth(kFieldsWidth);
    auto *what
        = wrappedLabel(tr("A name, or a path such as /request/id. Write spaces between several, and commas between "
                          "outcomes. An empty field keeps the names it shows."),
            this);
    m_line->setObjectName(u"logFieldsLine"_s);
    m_line->setPlaceholderText(tr("Paste a line of the log here to see what is read of it."));
    m_line->setAccessibleName(tr("A line of the log"));
    m_line->setFont(Theme::monospace());
    m_line->setTabChangesFocus(true);
    m_line->setFixedHeight(kLineHeight);
    m_read->setObjectName(u"logFieldsRead"_s);
    auto *buttons = new ButtonRow(this);
    QPushButton *usual = buttons->addAside(u"logFieldsUsual"_s, tr("R&eset"));
    m_use = buttons->addGo(u"logFieldsUse"_s, tr("Sa&ve"));
    buttons->addStay(u"logFieldsCancel"_s, tr("Cancel"));
    buttons->setDefault(m_use);
    guideEnter(this);
    auto *layout = dialogColumn(this);
    layout->addWidget(titleLabel(tr("Where a log line holds each value"), this));
    layout->addWidget(what);
    layout->addWidget(buildForm(places));
    layout->addWidget(buddyLabel(tr("&Test a log line"), m_line, this));
    layout->addWidget(m_line);
    layout->addWidget(m_read);
    layout->addStretch(1);
    layout->addWidget(buttons);
    connect(m_line, &QPlainTextEdit::textChanged, this, &LogFieldsDialog::refresh);
    connect(m_use, &QPushButton::clicked, this, &QDialog::accept);
    connect(usual, &QPushButton::clicked, this, [this] {
        for (QLineEdit *edit : m_fields) {
            edit->clear();
        }
    });
    refresh();
}

QWidget *LogFieldsDialog::buildForm(const QStringList &places)
{
    auto *form = new QWidget(this);
    QGridLayout *grid = fieldGrid(form);
    const auto fields = fieldsOf();
    for (int i = 0; i < kFields; ++i) {
        const Field &field = fields[size_t(i)];
        auto *edit = new QLineEdit(form);
        addField(grid, edit, u"logField_"_s + field.name, field.title, field.joined(field.usual), i, 0);
        edit->setAccessibleName(QString(field.title).remove(u'&'));
        QStringList texts;
        for (const QString &place : places) {
            if (place.section(u'=', 0, 0) == field.name) {
                texts += place.section(u'=', 1);
            }
        }
        edit->setText(field.joined(texts));
        connect(edit, &QLineEdit::textChanged, this, &LogFieldsDialog::refresh);
        m_fields[size_t(i)] = edit;
    }
    return form;
}

QStringList LogFieldsDialog::places() const
{
    const auto fields = fieldsOf();
    QStringList places;
    for (size_t i = 0; i < m_fields.size(); ++i) {
        for (const QString &text : m_fields[i]->text().simplified().split(fields[i].between, Qt::SkipEmptyParts)) {
            if (!text.trimmed().isEmpty()) {
                places += fields[i].name + u'=' + text.trimmed();
            }
        }
    }
    return places;
}

void LogFieldsDialog::refresh()
{
    const auto mapping = models::mappingFrom(places());
    m_use->setEnabled(mapping.ok());
    const QByteArray line = m_line->toPlainText().trimmed().toUtf8();
    QString read;
    if (!mapping) {
        read = mapping.error().what + u' ' + mapping.error().why;
    } else if (line.size() > models::LogReader::kMostRecord) {
        read = tr("A line of more than 1 MiB is not read.");
    } else if (!line.isEmpty()) {
        read = models::readingInWords(models::applicationLine(line, *mapping));
    }
    m_read->setText(models::displayText(read, kReadChars));
}

} // namespace idemdesk::ui
