// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/statement_wizard.h"

#include "models/format/labels.h"
#include "models/provider/statement_preview.h"
#include "models/settings.h"
#include "ui/dialogs/statement_map_form.h"
#include "ui/theme/theme.h"
#include "ui/widgets/drop_field.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/utc_edit.h"
#include "ui/widgets/wrap_row.h"

#include <QCheckBox>
#include <QDateTimeEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTimeZone>

#include <algorithm>
#include <tuple>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kStatementWizardWidth = 236 * kGrid; // fits into a window of 1024 x 700
constexpr int kStatementWizardHeight = 159 * kGrid; // five lines of the file

} // namespace

StatementWizard::StatementWizard(
    models::Settings *settings, const sql::Profile &profile, const QString &provider, QWidget *parent)
    : Wizard(u"statementWizard"_s, tr("Import a statement"), parent)
    , m_settings(settings)
    , m_previewer(new models::StatementPreviewer(this))
{
    setObjectName(u"statementWizard"_s);
    addStep({ tr("File"), tr("Choose the provider's file"), tr("&Next") }, filePage(profile, provider));
    addStep({ tr("Columns"), tr("Map columns"), tr("&Compare") }, columnsPage());
    connect(m_previewer, &models::StatementPreviewer::changed, this, &StatementWizard::takePreview);
    begin();
    resize(kStatementWizardWidth, kStatementWizardHeight);
}

QWidget *StatementWizard::filePage(const sql::Profile &profile, const QString &provider)
{
    auto *page = new QWidget(this);
    auto *fields = new QWidget(page);
    QFormLayout *form = formColumn(fields);
    m_path = new QLineEdit(fields);
    m_path->setObjectName(u"statementPath"_s);
    m_path->setPlaceholderText(tr("A file of comma-separated values or JSON Lines"));
    auto *choose = new QPushButton(tr("C&hoose…"), fields);
    choose->setObjectName(u"statementChoose"_s);
    choose->setAccessibleName(tr("Choose the file"));
    choose->setAutoDefault(false);
    auto *file = new QWidget(fields);
    auto *row = barRow({ m_path, choose }, file);
    row->setStretchFactor(m_path, 1);
    m_provider = new QLineEdit(provider, fields);
    m_provider->setObjectName(u"statementProvider"_s);
    m_provider->setPlaceholderText(tr("Whose statement it is"));
    addRow(form, tr("&File"), file, m_path);
    addRow(form, tr("&Provider"), m_provider);
    QVBoxLayout *layout = partColumn(page);
    layout->addWidget(wrappedLabel(
        tr("It is compared with %1. The file is only read, and no key changes.").arg(models::targetLabel(profile)),
        page));
    layout->addWidget(fields);
    layout->addWidget(noteLabel(
        tr("The column mapping is saved for this provider when you record evidence."), u"statementFileNote"_s, page));
    auto *drop = new DropField(u"statementDrop"_s, tr("Or drop the file here: CSV or JSON Lines"), page);
    layout->addSpacing(2 * kGrid);
    layout->addWidget(drop, 1);
    connect(drop, &DropField::dropped, this, &StatementWizard::setPath);
    connect(choose, &QPushButton::clicked, this, &StatementWizard::chooseFile);
    connect(m_path, &QLineEdit::textChanged, this, &StatementWizard::sync);
    connect(m_provider, &QLineEdit::textChanged, this, &StatementWizard::sync);
    return page;
}

QWidget *StatementWizard::columnsPage()
{
    auto *page = new QWidget(this);
    m_map = new StatementMapForm(page);
    m_lines = new QTableView(page);
    setUpSmallTable(m_lines,
        { u"statementPreview"_s, tr("How the first lines are read"), m_previewer->list(), { 56, 300, 130, 170 } });
    m_lines->setTextElideMode(Qt::ElideMiddle); // both ends tell references apart
    QLabel *title = strongLabel(tr("How the first &lines are read"), page);
    title->setBuddy(m_lines);
    QVBoxLayout *layout = partColumn(page);
    layout->addWidget(m_map);
    auto *time = new QWidget(page);
    auto *bar = new WrapRow(time);
    bar->setSpacing(6 * kGrid);
    bar->add(coversBar(time));
    bar->add(marginBar(time));
    layout->addWidget(time);
    layout->addWidget(title);
    layout->addWidget(m_lines, 1);
    connect(m_map, &StatementMapForm::changed, this, &StatementWizard::look);
    return page;
}

QWidget *StatementWizard::coversBar(QWidget *page)
{
    auto *bar = new QWidget(page);
    m_covers = new QCheckBox(tr("Complete &for"), bar);
    m_covers->setObjectName(u"statementCovers"_s);
    m_covers->setToolTip(tr("Else from its first line to shortly before its last one"));
    const QDate today = QDateTime::currentDateTimeUtc().date();
    for (const auto &[edit, name, label, days] : { std::tuple { &m_since, u"statementSince"_s, tr("From"), -1 },
             std::tuple { &m_until, u"statementUntil"_s, tr("Until"), 0 } }) {
        *edit = new QDateTimeEdit(QDateTime(today.addDays(days), QTime(0, 0), QTimeZone::utc()), bar);
        (*edit)->setObjectName(name);
        (*edit)->setAccessibleName(label);
        (*edit)->setDisplayFormat(u"yyyy-MM-dd HH:mm"_s);
        (*edit)->setEnabled(false);
        showInUtc(*edit);
        connect(*edit, &QDateTimeEdit::dateTimeChanged, this, &StatementWizard::sync);
        connect(m_covers, &QCheckBox::toggled, *edit, &QWidget::setEnabled);
    }
    connect(m_covers, &QCheckBox::toggled, this, &StatementWizard::sync);
    barRow({ m_covers, m_since, plainLabel(tr("to", "from then to then"), bar), m_until, plainLabel(tr("UTC"), bar) },
        bar);
    return bar;
}

/// Of no use where the person says until when the file holds all.
QWidget *StatementWizard::marginBar(QWidget *page)
{
    constexpr int kMostMinutes = 7 * 24 * 60;
    constexpr int kSecondsOfMinute = 60;
    auto *bar = new QWidget(page);
    m_margin = new QSpinBox(bar);
    m_margin->setObjectName(u"statementMargin"_s);
    m_margin->setRange(0, kMostMinutes);
    m_margin->setSuffix(tr(" min"));
    m_margin->setValue(int(models::StatementQuestion().marginSeconds / kSecondsOfMinute));
    auto *label = plainLabel(tr("I&gnore missing lines in the last"), bar);
    m_margin->setToolTip(tr("A provider may book a request some minutes later"));
    label->setBuddy(m_margin);
    connect(m_covers, &QCheckBox::toggled, m_margin, &QWidget::setDisabled);
    barRow({ label, m_margin }, bar);
    return bar;
}

QString StatementWizard::fault() const
{
    return m_covers->isChecked() && m_until->dateTime() <= m_since->dateTime()
        ? tr("The time it covers ends before it begins.")
        : m_map->fault();
}

QString StatementWizard::path() const
{
    return m_path->text();
}

void StatementWizard::setPath(const QString &path)
{
    m_path->setText(path);
}

void StatementWizard::chooseFile()
{
    QFileDialog *dialog = openFileDialog(this, u"statementFile"_s, tr("Choose a statement"),
        { tr("Statements (*.csv *.jsonl *.ndjson *.txt)"), tr("All files (*)") });
    connect(dialog, &QFileDialog::fileSelected, this, &StatementWizard::setPath);
    openDialog(dialog);
}

void StatementWizard::entered(int step)
{
    if (step == FileStep) {
        m_path->setFocus(Qt::OtherFocusReason);
    } else {
        m_map->focusFirst();
        m_fresh = true;
        m_guessed = false;
        m_previewer->forget();
        m_previewer->look(m_path->text(), m_settings->statementMap(m_provider->text().trimmed()));
    }
    sync();
}

void StatementWizard::look()
{
    const models::StatementMap map = m_map->map();
    if (m_map->fault().isEmpty() || !(map.empty() || map.tellsOutcome())) {
        m_previewer->look(m_path->text(), map);
    }
    sync();
}

/// Lines of JSON may lack members, so that a map of other names is no error; but then it names no request of them.
bool StatementWizard::isOfAnotherFile() const
{
    const auto &preview = m_previewer->preview();
    return preview && !preview->map.empty() && !preview->map.reference.startsWith(u'/')
        && !preview->columns.contains(preview->map.reference);
}

void StatementWizard::takePreview()
{
    if (m_previewer->busy()) {
        sync();
        return;
    }
    const auto error = m_previewer->error();
    if (m_fresh && error && error->kind == sql::ErrorKind::Usage && !std::exchange(m_guessed, true)) {
        m_previewer->look(m_path->text(), {}); // what is remembered is of another file: the columns' names decide
        return;
    }
    if (m_fresh && isOfAnotherFile() && !std::exchange(m_guessed, true)) {
        m_previewer->look(m_path->text(), {});
        return;
    }
    if (const auto &preview = m_previewer->preview(); m_fresh && preview) {
        m_fresh = false;
        m_map->setColumns(preview->columns, preview->format == models::StatementFormat::JsonLines);
        m_map->setMap(preview->map);
    }
    sync();
}

void StatementWizard::go(int step)
{
    if (step == FileStep) {
        showStep(ColumnsStep);
        return;
    }
    const QString provider = m_provider->text().trimmed();
    models::StatementQuestion question { m_path->text(), provider, m_map->map(), {}, {} };
    question.marginSeconds = qint64(m_margin->value()) * 60;
    if (m_covers->isChecked()) {
        question.since = sql::Timestamp::fromDateTime(m_since->dateTime());
        question.until = sql::Timestamp::fromDateTime(m_until->dateTime());
    }
    emit comparisonWanted(question);
    accept();
}

void StatementWizard::sync()
{
    setBusy(m_previewer->busy());
    if (step() == FileStep) {
        banner()->clear();
        setWhyNot(m_path->text().isEmpty()               ? tr("Choose a file.")
                : m_provider->text().trimmed().isEmpty() ? tr("Say whose statement it is.")
                                                         : QString());
        return;
    }
    const auto &lines = m_previewer->list()->rows();
    const bool ignored = !m_fresh && !m_previewer->busy() && !lines.isEmpty()
        && std::all_of(lines.cbegin(), lines.cend(), [](const models::MappedLine &one) {
               return one.fault.isEmpty() && one.line.outcome == sql::LineOutcome::Other;
           });
    if (ignored && !m_previewer->error()) {
        banner()->showNotice(NoticeBar::Kind::Warning, tr("All lines shown are ignored."),
            tr("Look at the column of the state, and at the words for success and failure."));
    } else {
        banner()->setError(m_previewer->error());
    }
    m_map->setEnabled(!m_fresh);
    const bool unread = m_fresh || !m_previewer->preview();
    setWhyNot(m_previewer->busy() ? tr("Reading…") : unread ? tr("It cannot be read so.") : fault());
}

} // namespace idemdesk::ui
