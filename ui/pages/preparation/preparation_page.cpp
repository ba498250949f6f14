// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/preparation/preparation_page.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/preparation.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/notice_bar.h"

#include <QGridLayout>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <chrono>
#include <memory>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::Preparation;

namespace {

constexpr int kColumnWidth = 150 * kGrid;

/// One line: a mark and the sentence.
class PreparationStep final : public QWidget
{
public:
    explicit PreparationStep(QWidget *parent)
        : QWidget(parent)
        , m_mark(plainLabel({}, this))
        , m_text(plainLabel({}, this))
    {
        setObjectName(u"preparationStep"_s);
        m_text->setObjectName(u"preparationStepText"_s);
        m_text->setWordWrap(true);
        m_mark->setFixedSize(4 * kGrid, 4 * kGrid);
        auto *layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(2 * kGrid);
        layout->addWidget(m_mark, 0, Qt::AlignTop);
        layout->addWidget(m_text, 1);
    }

    void set(const Preparation::Step &step)
    {
        using State = Preparation::Step::State;
        const bool waits = step.state == State::Waiting;
        const bool runs = step.state == State::Running;
        m_mark->setPixmap(waits ? QPixmap()
                                : themedIcon(runs ? u"running"_s : u"done"_s, runs ? Token::Accent : Token::Succeeded)
                                      .pixmap(m_mark->size()));
        m_text->setText(models::displayText(step.text, 1'000));
        QPalette colors = palette();
        colors.setColor(QPalette::WindowText, themeColor(runs ? Token::Text : Token::MutedText));
        m_text->setPalette(colors);
        setProperty("state", waits ? u"waiting"_s : runs ? u"running"_s : u"done"_s);
        // The mark's meaning, for who cannot see it.
        const QString meaning = waits ? PreparationPage::tr("to do")
            : runs                    ? PreparationPage::tr("under way")
                                      : PreparationPage::tr("done");
        setAccessibleName(step.text + u' ' + meaning);
    }

private:
    QLabel *m_mark;
    QLabel *m_text;
};

} // namespace

PreparationPage::PreparationPage(QWidget *parent)
    : QWidget(parent)
    , m_title(plainLabel({}, this))
    , m_explanation(plainLabel({}, this))
    , m_bar(new QProgressBar(this))
    , m_time(plainLabel({}, this))
    , m_steps(new QVBoxLayout)
    , m_notice(new NoticeBar(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_retry(new QPushButton(tr("Try again"), this))
    , m_connect(new QPushButton(tr("Connect…"), this))
{
    setObjectName(u"preparationPage"_s);
    m_title->setObjectName(u"preparationTitle"_s);
    m_explanation->setObjectName(u"preparationExplanation"_s);
    m_bar->setObjectName(u"preparationBar"_s);
    m_time->setObjectName(u"preparationTime"_s);
    m_notice->setObjectName(u"preparationNotice"_s);
    m_cancel->setObjectName(u"preparationCancel"_s);
    m_retry->setObjectName(u"preparationRetry"_s);
    m_connect->setObjectName(u"preparationConnect"_s);
    m_title->setFont(Theme::title());
    m_explanation->setWordWrap(true);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(2 * kGrid);
    m_time->setFont(Theme::figures(m_time->font()));
    m_steps->setSpacing(2 * kGrid);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(2 * kGrid);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_retry);
    buttons->addWidget(m_connect);
    buttons->addStretch(1);
    auto *column = new QWidget(this);
    column->setFixedWidth(kColumnWidth);
    auto *lines = new QVBoxLayout(column);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(3 * kGrid);
    lines->addWidget(m_title);
    lines->addWidget(m_explanation);
    lines->addSpacing(kGrid);
    lines->addWidget(m_bar);
    lines->addWidget(m_time);
    lines->addSpacing(kGrid);
    lines->addLayout(m_steps);
    lines->addWidget(m_notice);
    lines->addSpacing(2 * kGrid);
    lines->addLayout(buttons);
    auto *layout = new QGridLayout(this);
    layout->addWidget(column, 1, 1);
    layout->setRowStretch(0, 2);
    layout->setRowStretch(2, 3);
    layout->setColumnStretch(0, 1);
    layout->setColumnStretch(2, 1);

    m_second.setInterval(std::chrono::seconds(1));
    connect(&m_second, &QTimer::timeout, this, &PreparationPage::refreshTime);
    connect(m_connect, &QPushButton::clicked, this, &PreparationPage::connectClicked);
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, this, &PreparationPage::refreshSteps); // its marks are pixmaps
    }
}

void PreparationPage::setPreparation(Preparation *preparation)
{
    m_preparation = preparation;
    connect(preparation, &Preparation::changed, this, &PreparationPage::refresh);
    connect(m_cancel, &QPushButton::clicked, preparation, &Preparation::cancel);
    connect(m_retry, &QPushButton::clicked, preparation, &Preparation::retry);
    refresh();
}

void PreparationPage::refresh()
{
    if (m_preparation == nullptr) {
        return;
    }
    const Preparation::State state = m_preparation->state();
    const bool working = state == Preparation::State::Working || state == Preparation::State::Cancelling;
    const bool cancelled = state == Preparation::State::Cancelled;
    m_title->setText(m_preparation->title());
    m_explanation->setText(cancelled ? tr("You stopped it. Nothing of it runs, and nothing half made is left.")
                                     : m_preparation->explanation());
    m_bar->setVisible(working);
    m_time->setVisible(working);
    m_cancel->setVisible(working);
    m_cancel->setEnabled(state == Preparation::State::Working);
    m_retry->setVisible(!working);
    m_connect->setVisible(!working);
    if (state == Preparation::State::Failed && m_preparation->error()) {
        m_notice->showError(*m_preparation->error());
    } else {
        m_notice->clear();
    }
    if (working && !m_second.isActive()) {
        m_second.start();
    } else if (!working) {
        m_second.stop();
    }
    refreshSteps();
    refreshTime();
}

void PreparationPage::refreshSteps()
{
    if (m_preparation == nullptr) {
        return;
    }
    // What was under way when it ended is of no use to anybody.
    const bool ended = m_preparation->state() == Preparation::State::Cancelled
        || m_preparation->state() == Preparation::State::Failed;
    const QList<Preparation::Step> steps = ended ? QList<Preparation::Step>() : m_preparation->steps();
    while (m_steps->count() > steps.size()) {
        const std::unique_ptr<QLayoutItem> item(m_steps->takeAt(m_steps->count() - 1));
        delete item->widget();
    }
    while (m_steps->count() < steps.size()) {
        m_steps->addWidget(new PreparationStep(this));
    }
    for (int i = 0; i < m_steps->count(); ++i) {
        static_cast<PreparationStep *>(m_steps->itemAt(i)->widget())->set(steps.at(i));
    }
    m_bar->setMaximum(std::max(1, static_cast<int>(steps.size())));
    m_bar->setValue(ended ? 0 : m_preparation->stepsDone());
    m_bar->setAccessibleName(m_preparation->title());
}

void PreparationPage::refreshTime()
{
    if (m_preparation == nullptr) {
        return;
    }
    const QString time = models::durationText(m_preparation->seconds());
    m_time->setText(m_preparation->state() == Preparation::State::Cancelling ? tr("Stopping…")
            : m_preparation->steps().isEmpty()                               ? time
                                                                             : tr("%1 of %2 steps done, %3")
                                                     .arg(m_preparation->stepsDone())
                                                     .arg(m_preparation->steps().size())
                                                     .arg(time));
}

} // namespace idemdesk::ui
